import { memberEntries, stringValue, type JsonNode } from '../json';
import { wordsOf } from './name-words';
import { parametersOf, type ToolDefinition } from './tool-definition';
import { COMPUTING_VERBS, isChangingForm, isChangingWord, READING_VERBS } from './verb-words';

/** Descriptions longer than this say what matters before it. */
const MAX_DESCRIPTION_CHARS = 4_000;

/** Words in front of a verb that is an act of the tool: `and marks`, `will delete`, `it sends`. */
const ACT_LEADS: ReadonlySet<string> = new Set(
  'and or then also will it which that to can automatically by tool function this'.split(' '),
);

/** What a description says of changes; undefined when it tells of none. */
export function changeInDescription(text: string | undefined): string | undefined {
  const tokens =
    (text ?? '')
      .slice(0, MAX_DESCRIPTION_CHARS)
      .toLowerCase()
      .match(/[a-z][a-z'-]*|[.,;:!?()\n/]/gu) ?? [];
  let before = '.';
  for (const token of tokens) {
    const leads = !/[a-z]/u.test(before) ? before !== ':' && before !== '(' : ACT_LEADS.has(before);
    if (leads && isChangingForm(token)) return token;
    before = token;
  }
  return undefined;
}

/** True when a description begins by saying that the tool reads: `Returns the ...`, `Check whether ...`. */
export function describesReading(text: string | undefined): boolean {
  const first = /^\W{0,4}([a-z]+)/u.exec((text ?? '').slice(0, 200).toLowerCase())?.[1] ?? '';
  const verb = first.replace(/(?:ies)$/u, 'y').replace(/(?<=ch)es$|(?<!s)s$/u, '');
  return READING_VERBS.has(verb) || COMPUTING_VERBS.has(verb) || verb === 'return';
}

/** Arguments that carry what is to be written, run or sent, by name. */
const CARRYING_NAMES =
  /^(?:content|contents|body|message|payload|data|value|values|code|script|command|commands|cmd|shell|sql|statement|javascript|js|patch|mutation)$|^new_/u;

/** The first parameter whose name says that a call carries a change; undefined when all of them only select. */
export function changeInParameters(definition: ToolDefinition | undefined): string | undefined {
  if (definition === undefined) return undefined;
  return parametersOf(definition).find(({ name, choices }) => carriesChange(name) || choices.some(isChangingChoice))
    ?.name;
}

function isChangingChoice(choice: string): boolean {
  return /^(?:POST|PUT|PATCH|DELETE)$/u.test(choice) || wordsOf(choice).some(isChangingWord);
}

function carriesChange(name: string): boolean {
  const words = wordsOf(name);
  return CARRYING_NAMES.test(words.join('_')) || words.some(isChangingWord);
}

const WRITING_QUERY =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*\*\/|\()*(?:insert|update|delete|drop|alter|create|truncate|merge|replace|grant|revoke|call|exec|execute|do|copy|vacuum|attach|set|begin|with\b[\s\S]*\b(?:insert|update|delete|merge)|mutation)\b/iu;
const LATER_STATEMENT =
  /;\s*(?:insert|update|delete|drop|alter|create|truncate|merge|replace|grant|revoke|call|exec)\b/iu;
const QUERY_NAMES = /^(?:q|query|sql|statement|expression|graphql|filter|where)$/u;
const VERB_NAMES = /^(?:method|http_method|action|operation|op|mode|verb|command|type)$/u;
/** Longer queries are cut; what writes shows before. */
const MAX_QUERY_CHARS = 20_000;

/** What the arguments of one call say of a change; undefined when they only select. */
export function changeInArguments(args: JsonNode | undefined): string | undefined {
  for (const { key, value } of memberEntries(args)) {
    const name = wordsOf(key).join('_');
    if (carriesChange(key) && !(value.kind === 'boolean' && !value.value) && value.kind !== 'null')
      return `the argument "${key}" carries a change`;
    const text = stringValue(value)?.slice(0, MAX_QUERY_CHARS);
    if (text === undefined) continue;
    if (QUERY_NAMES.test(name) && (WRITING_QUERY.test(text) || LATER_STATEMENT.test(text)))
      return `the query in "${key}" writes`;
    if (VERB_NAMES.test(name) && isChangingChoice(text)) return `"${key}" is "${text.slice(0, 40)}"`;
  }
  return undefined;
}

const CHANGED =
  /^\W{0,4}(?:ok|done|success|successfully)?\W{0,3}(?:[\w#-]{1,40} ){0,4}?(?:successfully )?(?:created|updated|deleted|removed|added|saved|sent|cancelled|canceled|modified|changed|inserted|written|booked|reserved|published|posted|merged|renamed|moved|archived|approved|rejected|submitted|scheduled|assigned|closed|activated|deactivated|enabled|disabled|reset|started|stopped|locked|unlocked|paid|refunded|transferred|registered|subscribed)\b(?! (?:by|at|on|in)\b)(?![^\S\n]{0,3}[:=|,"])/iu;
const RESULT_HEAD_CHARS = 200;

/** True when a result reports a change instead of showing data: `Order 17 updated`, `Successfully sent`. */
export function reportsChange(result: string): boolean {
  return CHANGED.test(result.slice(0, RESULT_HEAD_CHARS));
}
