import { stemOf } from './stems';

/** Verbs that speak of the same kind of action, by their stems; nouns of it among them. */
const FAMILIES: readonly (readonly string[])[] = [
  'book reserve rebook place order create make schedule purchase buy',
  'cancel void revoke withdraw annul cancellation',
  'update change modify edit adjust amend switch upgrade downgrade rewrite patch alter replace set correct revise move swap add rename fix modification modernize convert format apply put',
  'delete remove drop erase purge clean clear',
  'send email mail notify message forward post text transfer wire',
  'transfer escalate hand pass route send wire',
  'post book enter record write',
  'set save store enter record put',
  'run rerun trigger start launch execute kick',
  'revert undo roll',
  'test check verify',
  'flag mark label star tag',
  'archive file store',
  'write create add save generate insert append store file record',
  'commit',
  'push',
  'merge rebase',
  'tag',
  'publish release deploy ship roll',
  'install',
  'return refund exchange reimburse repay credit',
  'pay charge bill debit',
  'start launch restart boot spin',
  'stop kill terminate shut halt',
  'upload copy download sync backup restore',
  'submit answer hand file enter',
  'approve confirm accept sign authorize',
  'close resolve complete',
  'open raise file create report',
  'assign allocate dispatch',
  'prescribe administer give order dose',
  'scale resize drain provision migrate',
].map((family) => family.split(' ').map(stemOf));

/** Actions whose name says nothing of what they do. */
const GENERIC = new Set([
  'bash',
  'execute',
  'exec',
  'run',
  'shell',
  'command',
  'python',
  'terminal',
  'tool',
  'call',
  'code',
]);
/** Programs that are named after themselves and told by what they do. */
const TOLD_AS: ReadonlyMap<string, string> = new Map(
  'pytest:test jest:test vitest:test mocha:test tox:test rspec:test phpunit:test ctest:test eslint:lint ruff:lint clippy:lint mypy:check tsc:check makefile:build make:build'
    .split(' ')
    .map((pair) => {
      const [program = '', word = ''] = pair.split(':');
      return [program, word] as const;
    }),
);
const NOT_VERBS = new Set(['npm', 'git', 'the', 'api', 'http', 'user', 'file', 'str', 'new']);

/** What an action is called in a summary. */
export interface ActionWords {
  /** Stems of its verb and of other verbs for it. */
  readonly verbs: ReadonlySet<string>;
  /** Stems of the words in its name. */
  readonly own: ReadonlySet<string>;
  /** Stems of what it is done to, from its name. */
  readonly nouns: ReadonlySet<string>;
  readonly isGeneric: boolean;
  /** Its verb in the past says that it was tried, not that it worked. */
  readonly isAttempt: boolean;
}

const ATTEMPTS = new Set(['submit', 'send', 'request', 'try', 'start', 'launch', 'call'].map(stemOf));

export function actionWords(action: string): ActionWords {
  const tokens = action
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token.length > 2);
  const verbs = new Set<string>();
  const nouns = new Set<string>();
  for (const name of tokens) {
    const token = TOLD_AS.get(name) ?? name;
    if (NOT_VERBS.has(token) || GENERIC.has(token)) continue;
    const stem = stemOf(token);
    const families = verbs.size > 0 ? [] : FAMILIES.filter((family) => family.includes(stem));
    if (families.length > 0) {
      for (const family of families) for (const verb of family) verbs.add(verb);
      verbs.add(stem);
    } else nouns.add(stem);
  }
  // An action without a known verb is told by its noun.
  if (verbs.size === 0) for (const noun of nouns) verbs.add(noun);
  const own = new Set(tokens.filter((token) => !NOT_VERBS.has(token) && !GENERIC.has(token)).map(stemOf));
  return {
    verbs,
    own,
    nouns,
    isAttempt: tokens.some((token) => ATTEMPTS.has(stemOf(token))),
    isGeneric: verbs.size === 0 && tokens.every((token) => GENERIC.has(token)),
  };
}

const IRREGULAR_PAST: ReadonlyMap<string, string> = new Map(
  'made:make wrote:write written:write sent:send paid:pay bought:buy put:put set:set shut:shut gave:give given:give was:be built:build ran:run rewritten:rewrite rewrote:rewrite reset:reset done:do took:take taken:take began:begin begun:begin left:leave held:hold cut:cut let:let sold:sell got:get hid:hide drew:draw withdrew:withdraw withdrawn:withdraw undone:undo'
    .split(' ')
    .map((pair) => {
      const [past = '', verb = ''] = pair.split(':');
      return [past, stemOf(verb)] as const;
    }),
);

/** The stem of a word, irregular past forms included. */
export function verbStem(word: string): string {
  return IRREGULAR_PAST.get(word.toLowerCase()) ?? stemOf(word);
}

/** The stem of a verb in its past form; undefined for other words. */
export function pastStem(word: string): string | undefined {
  const lower = word.toLowerCase();
  const irregular = IRREGULAR_PAST.get(lower);
  if (irregular !== undefined) return irregular;
  return /ed$/.test(lower) && lower.length > 4 ? stemOf(lower) : undefined;
}
