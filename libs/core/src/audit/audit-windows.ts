import type { ToolContracts } from '../classify/tool-contract';
import { sha256Hex } from '../digest';
import { isClosedStatus } from '../effects';
import { findDrift, type DriftFinding } from '../drift';
import type { ReadLimits } from '../formats/window-format';
import { createMask, secretsOfWindow, type Mask } from '../secrets';
import type { DriftKind } from '../terms';
import type { Element } from '../window/element';
import { differenceOf, type WindowDifference } from './align-windows';
import { assumedContracts } from './assumed-contracts';
import type { AuditedBoundary, AuditFinding, AuditWindow } from './audit-report';
import { classifyAudited, openAudited, wordsOf } from './audited-window';
import { laterCalls } from './later-calls';
import { effectsThatLeft, omittedEffects } from './lost-effects';
import { cursorOf, lostSteps, plansThatLeft } from './lost-plan';
import { lostRules, rulesThatLeft } from './lost-rules';
import { lostHandles, lostResults, lostStatements } from './lost-values';
import { JoinedTexts } from './joined-texts';
import { SaidIn } from './said-in';

export interface AuditInput {
  readonly before: AuditWindow;
  readonly after: AuditWindow;
  /** The window after as it had grown by the time of the next compaction, or the end: shows what was needed. */
  readonly later?: AuditWindow;
  readonly contracts?: ToolContracts;
  readonly limits?: ReadLimits;
  readonly at?: string;
}

/** Kinds in the order of the harm that they do. */
const HARM: readonly DriftKind[] = [
  'constraint_lost',
  'constraint_weakened',
  'effect_status_changed',
  'identifier_mutated',
  'effect_omitted',
  'plan_step_lost',
  'plan_step_changed',
];

/**
 * Audits one compaction by its windows before and after: what stays byte for byte is fine, what is new in the window
 * after is taken as the summary and compared with everything before, and what left is looked for in all that is said
 * after. Pure and linear but for sorting; values that were derived rightly are no drift.
 *
 * Throws InvalidWindowError when a window cannot be read.
 */
export function auditWindows(input: AuditInput): AuditedBoundary {
  const before = openAudited(input.before, input.limits);
  const after = openAudited(input.after, input.limits);
  const { contracts, packs } = assumedContracts(before.elements, input.contracts ?? {});
  const classification = classifyAudited(before, contracts);
  const difference = differenceOf(before, after);
  const { left } = difference;
  const said = new SaidIn(difference.afterText);
  const effects = effectsThatLeft(classification, left);
  const rules = rulesThatLeft(classification, left);
  const plans = plansThatLeft(classification, left);
  const later =
    input.later === undefined
      ? undefined
      : laterElements(openAudited(input.later, input.limits).elements, after.elements);
  const behind = later === undefined ? undefined : laterCalls(left, later, effects, said);
  const written = new JoinedTexts(difference.written);
  const drift = written.isEmpty
    ? []
    : findDrift({
        mode: 'tolerant',
        sources: before.elements.map((element) => ({
          id: element.id,
          role: element.role,
          kind: element.kind,
          text: wordsOf(element),
        })),
        summary: written.text,
        constraints: rules.map(({ text }) => ({ text, required: false })),
        plan: cursorOf(plans) ?? null,
        effects: effects
          .filter(({ status }) => isClosedStatus(status))
          .map(({ action, target, idempotencyKey, status }) => ({
            action,
            target,
            idempotencyKey: idempotencyKey ?? null,
            status,
          })),
      })
        .filter((found) => found.kind !== 'effect_omitted' && !isRelativePath(found))
        .map((found) => driftFinding(found, before.elements, written));
  const findings = [
    ...lostRules(rules, said),
    ...drift,
    ...omittedEffects(effects, left, said),
    ...lostSteps(plans, left, said),
    ...lostHandles(classification, left, said),
    ...(behind?.findings ?? []),
    ...lostResults(effects, left, said),
    ...lostStatements(classification, left, said),
    ...lostSystemText(difference, after.elements),
  ];
  const mask = maskOf(input, [...before.elements, ...after.elements], contracts);
  return {
    at: input.at ?? 'windows',
    format: { before: input.before.format, after: input.after.format },
    elements: {
      before: before.elements.length,
      after: after.elements.length,
      kept: difference.kept.length,
      left: left.length,
      added: difference.added.length,
    },
    characters: { before: sizeOf(before.elements), after: sizeOf(after.elements) },
    assumed_packs: packs,
    repeated_reads: behind?.repeatedReads ?? null,
    findings: worstFirst(findings).map((finding) => masked(finding, mask)),
  };
}

/** A path of two parts or more that only leaves out the folder that both stand in says the same. */
function isRelativePath({ kind, expected, observed }: DriftFinding): boolean {
  if (kind !== 'path_truncated' || expected === null || observed === null) return false;
  return observed.includes('/') && expected.endsWith(`/${observed}`);
}

const ADVICE: Readonly<Partial<Record<DriftKind, string>>> = {
  invented_value: 'Check where it comes from before anything acts on it; nothing before says it.',
  reformatted: 'The same value in other characters; a tool that compares bytes will not find it.',
  constraint_weakened: 'Carry what people demand word for word, outside of the part that is summarized.',
  constraint_lost: 'Carry what people demand word for word, outside of the part that is summarized.',
  effect_status_changed: 'Carry how each action ended in a line of its own, never in prose.',
  plan_step_changed: 'Carry the newest plan as it is, with the step that is under way.',
  plan_step_lost: 'Carry the newest plan as it is, with the step that is under way.',
};

function driftFinding(found: DriftFinding, elements: readonly Element[], written: JoinedTexts): AuditFinding {
  const source = elements.find(({ id }) => id === found.source?.elementId);
  return {
    kind: found.kind,
    severity: found.severity,
    expected: found.expected,
    observed: found.observed,
    source: source === undefined ? null : { element_id: source.id, path: source.path },
    place: written.placeOf(found.start, found.end),
    message: found.message,
    advice:
      ADVICE[found.kind] ?? 'Hide such values from the summarizer and put their bytes back, or drop the sentence.',
    count: 1,
  };
}

/** The system text is the harness's to send; where one window has it and the other has none, say so once. */
function lostSystemText({ left }: WindowDifference, after: readonly Element[]): readonly AuditFinding[] {
  const lost = left.filter(({ role, text }) => role === 'system' && text.trim() !== '');
  const [first] = lost;
  if (first === undefined || after.some(({ role }) => role === 'system')) return [];
  return [
    {
      kind: 'record_missing',
      severity: 'warning',
      expected: 'the system text',
      observed: null,
      source: { element_id: first.id, path: first.path },
      place: null,
      message: 'The window after has no system text',
      advice: 'If the harness sends it apart from the messages, give both windows to the audit the same way.',
      count: lost.length,
    },
  ];
}

function sizeOf(elements: readonly Element[]): number {
  return elements.reduce((sum, { text }) => sum + text.length, 0);
}

/** What came behind the compacted window. */
function laterElements(grown: readonly Element[], after: readonly Element[]): readonly Element[] {
  return grown.slice(after.length);
}

function worstFirst(findings: readonly AuditFinding[]): readonly AuditFinding[] {
  const rank = ({ severity, kind }: AuditFinding): number => {
    const harm = HARM.indexOf(kind);
    return (severity === 'error' ? 0 : 100) + (harm === -1 ? HARM.length : harm);
  };
  const seen = new Set<string>();
  return findings
    .filter(({ kind, expected, observed, place }) => {
      const identity = JSON.stringify([kind.split('_')[0], expected, observed, place]);
      if (seen.has(identity)) return false;
      seen.add(identity);
      return true;
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

/** The key of the tags is the windows' own digest: whoever has the report alone cannot try secrets on it. */
function maskOf({ before, after }: AuditInput, elements: readonly Element[], contracts: ToolContracts): Mask {
  return createMask(sha256Hex(`${before.source}\n${after.source}`), secretsOfWindow(elements, contracts));
}

function masked(finding: AuditFinding, mask: Mask): AuditFinding {
  const text = (value: string | null): string | null => (value === null ? null : mask(value));
  return {
    ...finding,
    expected: text(finding.expected),
    observed: text(finding.observed),
    message: mask(finding.message),
    advice: finding.advice,
  };
}
