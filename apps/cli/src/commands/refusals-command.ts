import {
  previewSchema,
  type RefusalDetailResponse,
  refusalDetailSchema,
  refusalListSchema,
  resolvingSchema,
} from '@holdfast/contracts';
import { callApi, postToApi } from '../api/call-api';
import { CliError } from '../cli-error';
import { type Column, textTable } from '../report/text-table';
import type { Command, Terminal } from './command';
import { parseCommandLine } from './options';

const HELP = `holdfast refusals list [--status STATUS] [--agent NAME] [--code CODE]
holdfast refusals show ID
holdfast refusals preview ID RESOLUTION
holdfast refusals resolve ID RESOLUTION

Refusals of a running API, one for each agent, code and cause. RESOLUTION is the number of a repair that "show" lists, or a
resolution as JSON: '{"kind":"raise_budget","scope":"agent","budget_tokens":64000}'. A repair of one element needs --reason,
and --source where it can be had again. "resolve" retries the refused passes; the refusal closes when they pass.

  --status STATUS   open, acknowledged, resolved or dismissed
  --agent NAME      one agent's
  --code CODE       one code's, as BUDGET_UNREACHABLE
  --reason TEXT     why, for a repair of one element
  --source TEXT     where the element can be had again
  --json            the answer of the API as one JSON object
  --url URL         where the API is; default: HOLDFAST_URL, else http://127.0.0.1:3001
  --key KEY         API key with the scopes refusals:read and refusals:resolve; default: HOLDFAST_API_KEY

Exit code: 0 done, 1 the API says no or cannot be reached, or the preview says that it would not pass, 2 wrong command line.`;

const OPTIONS = {
  status: { type: 'string' },
  agent: { type: 'string' },
  code: { type: 'string' },
  reason: { type: 'string' },
  source: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const;

const COLUMNS: readonly Column[] = [
  { title: 'id', align: 'left' },
  { title: 'agent', align: 'left' },
  { title: 'status', align: 'left' },
  { title: 'severity', align: 'left' },
  { title: 'count', align: 'right' },
  { title: 'cause', align: 'left' },
];

type Values = ReturnType<typeof parseCommandLine<typeof OPTIONS>>['values'];

export const refusalsCommand: Command = {
  name: 'refusals',
  summary: 'list, show and resolve refusals of a running API',
  help: HELP,
  async run(args, terminal) {
    const { values, positionals } = parseCommandLine('refusals', args, OPTIONS);
    const [action, id, resolution, ...rest] = positionals;
    if (action === 'list' && id === undefined) return list(values, terminal);
    if (action === 'show' && id !== undefined && resolution === undefined) return show(values, id, terminal);
    if (
      (action === 'preview' || action === 'resolve') &&
      id !== undefined &&
      resolution !== undefined &&
      rest.length === 0
    ) {
      const environment = terminal.environment ?? {};
      const refusal = refusalDetailSchema.parse(await callApi(environment, values, pathOf(id), {}));
      const body = resolutionOf(refusal, resolution, values);
      const answer = await postToApi(environment, values, `${pathOf(id)}/${action}`, body);
      return action === 'preview' ? printPreview(answer, values, terminal) : printResolving(answer, values, terminal);
    }
    throw new CliError('refusals takes list, show ID, preview ID RESOLUTION or resolve ID RESOLUTION.', 2);
  },
};

function pathOf(id: string): string {
  return `/v1/refusals/${encodeURIComponent(id)}`;
}

async function list(values: Values, { environment = {}, print }: Terminal): Promise<number> {
  const { status, agent, code } = values;
  const answer = await callApi(environment, values, '/v1/refusals', { status, agent, code });
  if (values.json === true) {
    print(JSON.stringify(answer));
    return 0;
  }
  const { items, next } = refusalListSchema.parse(answer);
  if (items.length === 0) {
    print('No refusals.');
    return 0;
  }
  const rows = items.map((one) => [one.id, one.agent, one.status, one.severity, String(one.count), one.cause]);
  for (const line of textTable(COLUMNS, rows)) print(line);
  if (next !== null) print('There are more; narrow the list by --status, --agent or --code.');
  return 0;
}

async function show(values: Values, id: string, { environment = {}, print }: Terminal): Promise<number> {
  const answer = await callApi(environment, values, pathOf(id), {});
  if (values.json === true) {
    print(JSON.stringify(answer));
    return 0;
  }
  const refusal = refusalDetailSchema.parse(answer);
  const { agent, code, cause, status, severity, count, sessions, headroom_tokens: headroom, newest } = refusal;
  print(`${code}, ${status}, ${severity}: ${cause}`);
  print(
    `${count} refused passes of ${agent} in ${sessions} sessions${headroom === null ? '' : `, headroom ${headroom} tokens`}`,
  );
  if (newest !== null) print(`newest, session ${newest.session}: ${newest.refusal.message}`);
  refusal.repairs.forEach(({ kind, message }, at) => print(`  ${at + 1}  ${kind}: ${message}`));
  for (const { at, kind, actor, comment } of refusal.steps.items) {
    print(`${at} ${kind} by ${actor}${comment === null ? '' : `: ${comment}`}`);
  }
  return 0;
}

/** A resolution as JSON, or the repair of a number with what somebody adds to it. */
function resolutionOf({ repairs, newest }: RefusalDetailResponse, word: string, { reason, source }: Values): unknown {
  if (!/^\d{1,3}$/u.test(word)) {
    try {
      return JSON.parse(word) as unknown;
    } catch {
      throw new CliError(`"${word}" is neither the number of a repair nor JSON.`, 2);
    }
  }
  const repair = repairs[Number(word) - 1];
  if (repair === undefined) throw new CliError(`There is no repair ${word}; "holdfast refusals show" lists them.`, 2);
  const { message: _, ...body } = repair;
  switch (body.kind) {
    case 'raise_budget':
      return { ...body, scope: 'pass' };
    case 'mark_element':
      return { ...body, session: newest?.session, ...said({ reason, source }) };
    case 'attach_effect':
      throw new CliError('An effect is attached as JSON: only its owner knows its action, target and status.', 2);
    default:
      return body;
  }
}

function said(words: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter((word): word is [string, string] => word[1] !== undefined));
}

function printPreview(answer: unknown, { json }: Values, { print }: Terminal): number {
  const { would_pass: passes, session, sessions, plan } = previewSchema.parse(answer);
  if (json === true) print(JSON.stringify(answer));
  else {
    print(
      `${passes ? 'Would pass' : 'Would be refused again'}: planned for session ${session}, ${sessions} would be retried.`,
    );
    if (plan !== null) print(`${plan.tokens.before} -> ${plan.tokens.after} tokens, budget ${plan.tokens.budget}`);
    if (plan?.refusal != null) print(`${plan.refusal.code}: ${plan.refusal.message}`);
  }
  return passes ? 0 : 1;
}

function printResolving(answer: unknown, { json }: Values, { print }: Terminal): number {
  const { refusal, retried, remaining } = resolvingSchema.parse(answer);
  if (json === true) print(JSON.stringify(answer));
  else
    print(
      `${refusal.status}: ${retried.length} passes are retried${remaining === 0 ? '' : `, ${remaining} more follow`}.`,
    );
  return 0;
}
