import { readFileSync } from 'node:fs';
import type { DriftConstraint, DriftEffect, DriftPlan, DriftSource } from '@holdfast/core';
import type { DriftCase, DriftLabel } from './labelled-summary';

const ROLES: Readonly<Record<string, readonly [role: string, kind: string]>> = {
  system: ['system', 'text'],
  user: ['user', 'text'],
  assistant: ['assistant', 'text'],
  think: ['assistant', 'text'],
  call: ['assistant', 'tool_call'],
  result: ['tool', 'tool_result'],
};
const TURN = /^@(system|user|assistant|think|call|result): ?(.*)$/;
const STATE = /^!(constraint|optional|plan|effect): ?(.*)$/;
const SUMMARY = /^= (\S+): ?(.*)$/;
const OMISSION = /^~(\w+): (.*)$/;
/** `[[kind|what the source says|what the summary says]]`; nothing in the middle for an invented value. */
const LABEL = /\[\[(\w+)\|(.*?)\|(.*?)\]\]/g;

interface Story {
  readonly name: string;
  readonly turns: { readonly role: string; readonly lines: string[] }[];
  readonly constraints: DriftConstraint[];
  readonly effects: DriftEffect[];
  plan: DriftPlan | undefined;
  readonly summaries: Summary[];
}

interface Summary {
  readonly name: string;
  readonly lines: string[];
  readonly omissions: DriftLabel[];
  note: string;
}

/**
 * Drift cases written by hand, several summaries to a story: `## name`, then `@role: text` for each message,
 * `!constraint`, `!optional`, `!plan step/of text` and `!effect action | target | status`, then `= name: summary` with
 * each drift as a label in place and `~kind: text` for what is left out.
 */
export function readCaseTable(path: string): readonly DriftCase[] {
  const stories: Story[] = [];
  let open: string[] | undefined;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const name = /^## (\S+)$/.exec(line)?.[1];
    if (name !== undefined) {
      stories.push({ name, turns: [], constraints: [], effects: [], plan: undefined, summaries: [] });
      open = undefined;
      continue;
    }
    const story = stories.at(-1);
    if (story === undefined) continue;
    open = addLine(story, line, open);
  }
  return stories.flatMap(casesOf);
}

/** Takes a line into the story; answers where lines that begin nothing new go on. */
function addLine(story: Story, line: string, open: string[] | undefined): string[] | undefined {
  const [, role, text = ''] = TURN.exec(line) ?? [];
  if (role !== undefined) {
    const lines = [text];
    story.turns.push({ role, lines });
    return lines;
  }
  const [, state, said = ''] = STATE.exec(line) ?? [];
  if (state !== undefined) {
    addState(story, state, said);
    return undefined;
  }
  const [, summary, begin = ''] = SUMMARY.exec(line) ?? [];
  if (summary !== undefined) {
    const lines = [begin];
    story.summaries.push({ name: summary, lines, omissions: [], note: '' });
    return lines;
  }
  const [, kind, expected = ''] = OMISSION.exec(line) ?? [];
  const last = story.summaries.at(-1);
  if (kind !== undefined && last !== undefined) {
    if (kind === 'note') last.note = expected;
    else last.omissions.push({ kind, expected, observed: undefined, start: -1, end: -1 });
    return undefined;
  }
  open?.push(line);
  return open;
}

function addState(story: Story, state: string, said: string): void {
  if (state === 'plan') {
    const [, step, of, text = ''] = /^(\d+)\/(\d+) (.*)$/.exec(said) ?? [];
    if (step !== undefined) story.plan = { step: Number(step), of: Number(of), text };
  } else if (state === 'effect') {
    const [action = '', target = '', status = ''] = said.split(' | ').map((part) => part.trim());
    story.effects.push({ action, target, idempotencyKey: null, status });
  } else story.constraints.push({ text: said, required: state === 'constraint' });
}

function casesOf({ name, turns, constraints, effects, plan, summaries }: Story): readonly DriftCase[] {
  const elements = turns.map(({ role, lines }, index): DriftSource => {
    const [speaker, kind] = ROLES[role] ?? ['user', 'text'];
    return { id: `e${String(index)}`, role: speaker, kind, text: lines.join('\n').trimEnd() };
  });
  return summaries.map((summary): DriftCase => {
    const { text, labels } = withoutLabels(summary.lines.join('\n').trim());
    const drift = [...labels, ...summary.omissions];
    return {
      id: `${name}-${summary.name}`,
      elements,
      summary: text,
      constraints,
      plan,
      effects,
      faithful: drift.length === 0,
      drift,
      note: summary.note,
    };
  });
}

function withoutLabels(marked: string): { readonly text: string; readonly labels: readonly DriftLabel[] } {
  const labels: DriftLabel[] = [];
  let text = '';
  let from = 0;
  for (const match of marked.matchAll(LABEL)) {
    const [whole, kind = '', expected = '', observed = ''] = match;
    text += marked.slice(from, match.index);
    const start = text.length;
    text += observed;
    labels.push({ kind, expected: expected === '' ? undefined : expected, observed, start, end: text.length });
    from = match.index + whole.length;
  }
  return { text: text + marked.slice(from), labels };
}
