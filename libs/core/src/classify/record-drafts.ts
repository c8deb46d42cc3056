import type { RecordDraft, StoredRecord } from '../ports';
import { isLive } from '../secure/live-record';
import type { RecordKind, Trust } from '../terms';
import type { Element } from '../window/element';
import type { Answer } from './approvals';
import type { Classified } from './classified';
import type { Conclusion } from './conclusions';
import { statesRule } from './human-text';
import { nativeRecordKind } from './native-elements';
import type { Plan } from './plans';
import { replacesRules } from './replaced-rules';
import { runningLabel, type EndedWork, type RunningWork } from './running-work';
import { contentDigest, type WindowContext } from './window-context';

export interface RecordSources {
  readonly answers: readonly Answer[];
  readonly plans: readonly Plan[];
  readonly running: readonly RunningWork[];
  readonly ended: readonly EndedWork[];
  readonly conclusions: readonly Conclusion[];
}

/** Everything that exists only in this window and must be put back when it leaves: content byte for byte. */
export function draftRecords(
  elements: readonly Classified[],
  context: WindowContext,
  sources: RecordSources,
): readonly RecordDraft[] {
  return [
    ...withReplacedRules(
      elements.flatMap((classified) => statementRecord(classified)),
      context.input.knownRecords,
    ),
    ...sources.answers.map(answerRecord),
    ...sources.plans.map((plan) => planRecord(plan, context.input.knownRecords)),
    ...sources.running.map(handleRecord),
    ...sources.ended.flatMap((work) => endRecord(work, context.input.knownRecords)),
    ...sources.conclusions.map(conclusionRecord),
  ];
}

/** As many of the newest rules are compared with a newer one; a session has few, and each costs a reading. */
const COMPARED_RULES = 40;

/** A person's newer statement says which older one it replaces; both stay in the store. */
function withReplacedRules(drafts: readonly RecordDraft[], known: readonly StoredRecord[]): readonly RecordDraft[] {
  const isPersons = ({ kind, trust }: RecordDraft | StoredRecord): boolean =>
    kind === 'constraint' && trust === 'human';
  const live: Pick<RecordDraft, 'digest' | 'content'>[] = known.filter((stored) => isPersons(stored) && isLive(stored));
  const knownDigests = new Set(known.filter(isPersons).map(({ digest }) => digest));
  return drafts.map((draft) => {
    if (!isPersons(draft) || knownDigests.has(draft.digest)) return draft;
    const at = live.findLastIndex(
      (older, index) => index >= live.length - COMPARED_RULES && replacesRules(draft.content, older.content),
    );
    const [replaced] = at === -1 ? [] : live.splice(at, 1);
    live.push(draft);
    return replaced === undefined ? draft : { ...draft, supersedes: replaced.digest };
  });
}

/** Kept as the model said it; `trust` says whose words these are. */
function conclusionRecord({ element, quote }: Conclusion): RecordDraft {
  return {
    elementId: element.id,
    kind: 'resolved_ambiguity',
    digest: contentDigest(quote),
    content: quote,
    label: '',
    trust: 'assistant',
  };
}

/** System text, standing rules, a person's rules, and what a native element declares as existing only here. */
function statementRecord({ element, class: elementClass, rule }: Classified): readonly RecordDraft[] {
  const { text } = element;
  if (text === '' || element.rendered !== undefined) return [];
  if (element.native !== undefined)
    return elementClass === 'externalize' && element.native.hasContent && element.settled === undefined
      ? [record(element, nativeRecordKind(text), `element ${element.id}`, 'owner')]
      : [];
  if (rule === 'system_text') return [record(element, 'constraint', `${element.role} message`, 'owner')];
  if (rule === 'project_memory') return [record(element, 'constraint', 'standing rules of the project', 'owner')];
  if (rule === 'human_text' || rule === 'proposal_answered')
    return element.role === 'user' && statesRule(text)
      ? [record(element, 'constraint', 'stated by a person', 'human')]
      : [];
  return [];
}

function answerRecord({ answer, kind, label }: Answer): RecordDraft {
  return record(answer, kind === 'answers' ? 'resolved_ambiguity' : 'approval', label, 'human');
}

function planRecord(plan: Plan, known: readonly StoredRecord[]): RecordDraft {
  const draft = record(plan.element, 'plan', plan.label, 'assistant');
  const family = known.filter((stored) => stored.kind === 'plan' && stored.label === plan.label && isLive(stored));
  const older = family.findLast(({ elementId }) => elementId !== draft.elementId);
  return older === undefined || older.digest === draft.digest ? draft : { ...draft, supersedes: older.digest };
}

function handleRecord({ result, tool, handle }: RunningWork): RecordDraft {
  return {
    elementId: result.id,
    kind: 'handle',
    digest: contentDigest(handle.id),
    content: handle.id,
    label: runningLabel(handle.name, tool),
    trust: 'tool',
  };
}

/** Takes the place of the record that says the work still runs; where none does there is nothing to replace. */
function endRecord(
  { handle, tool, endedBy, quote }: EndedWork,
  known: readonly StoredRecord[],
): readonly RecordDraft[] {
  const supersedes = contentDigest(handle.id);
  const isKnown = known.some((stored) => stored.kind === 'handle' && stored.digest === supersedes && isLive(stored));
  if (!isKnown) return [];
  const content = `${handle.id}: ${quote}`;
  const label = `${handle.name} of ${tool}, ended`;
  const draft = { elementId: endedBy.id, kind: 'handle', content, label, trust: 'tool' } as const;
  return [{ ...draft, digest: contentDigest(content), supersedes }];
}

function record(element: Element, kind: RecordKind, label: string, trust: Trust): RecordDraft {
  return { elementId: element.id, kind, digest: contentDigest(element.text), content: element.text, label, trust };
}
