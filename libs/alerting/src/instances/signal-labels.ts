import type { Labels } from './fingerprint';

/** What a signal says, as far as rules look at it. */
export interface LabelledSignal {
  readonly type: string;
  readonly agentId: string | null | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What the detail of a signal may say that rules group and silence by; the rest is told, not matched. */
const LABEL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  code: ['code', 'kind'],
  cause: ['cause'],
  tool: ['tool'],
  session: ['session_id'],
  channel: ['channel'],
  keyed: ['keyed'],
  severity: ['severity'],
};

function scalarText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** The labels of a signal: its type, its agent, and what its detail names. Tools of a refusal are one label. */
export function signalLabels({ type, agentId, detail }: LabelledSignal): Labels {
  const labels: Record<string, string> = { type, agent: agentId ?? '' };
  for (const [label, fields] of Object.entries(LABEL_FIELDS)) {
    const value = fields.map((field) => scalarText(detail[field])).find((text) => text !== undefined);
    if (value !== undefined) labels[label] = value;
  }
  const { tools } = detail;
  if (labels['tool'] === undefined && Array.isArray(tools)) labels['tool'] = tools.map(String).join(' ');
  return labels;
}
