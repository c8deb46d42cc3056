import type { PassWindow } from '../pass';
import type { SessionState } from '../ports';
import { BLOCK_ID, blockContent, blockLines, type BlockLine } from '../render/pinned-block';
import { shownHandles } from '../render/marks';
import { RECALL_TOOL_NAME, type RecallSetting } from '../terms';
import type { Element } from './element';
import type { Manifest, ManifestEntry } from './manifest';
import type { WindowIncident } from './window-incident';

/** More of one kind say nothing new: somebody else compacted. */
const MOST_OF_A_KIND = 20;
const QUOTE_CHARACTERS = 200;

/**
 * Compares a window that carries a pass marker with what was handed out. What is missing at the end was rewound by the
 * caller and is no incident; what is missing before something that is still there was left out by somebody else. Text
 * that imitates a block or a mark is content: it changes nothing and is reported once, when it first appears.
 */
export function findWindowIncidents(
  window: PassWindow,
  session: SessionState,
  recall: RecallSetting,
): readonly WindowIncident[] {
  const found = [
    ...missingElements(window),
    ...blockIncidents(window, session, recall),
    ...imitatedBlocks(window),
    ...imitatedMarks(window, session),
  ];
  const counts = new Map<string, number>();
  return found.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST_OF_A_KIND;
  });
}

/** Marks of a handed-out window that are gone, in order: what stands behind them can only be had if they are put back. */
export function lostHandles(window: PassWindow): readonly string[] {
  return missingEntries(window).flatMap(({ handle }) => handle ?? []);
}

/** Something that was handed out came back edited or not at all: the next window shows it again, whatever its size. */
export function isChangedByOthers(window: PassWindow): boolean {
  return window.block.kind === 'edited' || window.block.kind === 'stripped' || lostHandles(window).length > 0;
}

function missingEntries({ elements, continues }: PassWindow): readonly ManifestEntry[] {
  if (continues === undefined) return [];
  const present = new Set(elements.map(({ id }) => id));
  const entries = continues.entries.filter(({ rendered }) => rendered !== 'block');
  const lastPresent = entries.findLastIndex(({ id }) => present.has(id));
  return entries.slice(0, lastPresent + 1).filter(({ id }) => !present.has(id));
}

function missingElements(window: PassWindow): readonly WindowIncident[] {
  return missingEntries(window).map(({ id, handle, operation, rendered }) => ({
    kind: 'tombstone_missing',
    severity: 'error',
    expected: handle === undefined ? id : `[recall ${handle}]`,
    observed: null,
    subject: id,
    path: '',
    message:
      operation === undefined && rendered === undefined
        ? `${id} was handed out and is gone without a mark, with later elements still there: somebody else compacted`
        : `the ${rendered ?? 'mark'} of ${id} was handed out and is gone: its original can still be recalled`,
  }));
}

/** Lines of the block that was handed out and came back edited, or not at all. The block of this pass shows them again. */
function blockIncidents(
  { elements, block, mask }: PassWindow,
  session: SessionState,
  recall: RecallSetting,
): readonly WindowIncident[] {
  if (block.kind === 'none' || block.kind === 'ours') return [];
  const text = block.kind === 'edited' ? (elements[block.part]?.text ?? '') : '';
  const path = block.kind === 'edited' ? (elements[block.part]?.path ?? '') : '';
  const standing = {
    elements: new Map(elements.flatMap((one) => (one.rendered === 'block' ? [] : [[one.id, one.text] as const]))),
    inSegments: new Set(
      session.segments
        .filter(({ id }) => elements.some((one) => one.id === id))
        .flatMap(({ elementIds }) => elementIds),
    ),
    segmentTexts: elements.flatMap((one) => (one.rendered === 'segment' ? [one.text] : [])),
  };
  const content = blockContent(session.effects, session.records, standing, recall === 'tool', mask);
  const observed = text.split('\n');
  const found = blockLines(content).flatMap((line) => {
    if (text.includes(line.text)) return [];
    const edited = observed.find((candidate) => candidate.startsWith(`${line.ref} `));
    return [lineIncident(line, edited, path)];
  });
  const refs = new Set([...session.effects, ...session.records].map(({ ref }) => ref));
  found.push(...observed.flatMap((line) => inventedLine(line, refs, path)));
  if (block.kind === 'edited' && found.length === 0) found.push(otherBlock(text, path));
  return found;
}

/** A line with a number that the store never gave. */
function inventedLine(line: string, refs: ReadonlySet<string>, path: string): readonly WindowIncident[] {
  const ref = /^[ER][0-9]{1,9}(?= )/u.exec(line)?.[0];
  if (ref === undefined || refs.has(ref)) return [];
  const message = `${ref} stands in the pinned block and is nothing that the store holds: taken out`;
  return [
    { kind: 'invented_value', severity: 'error', expected: null, observed: quote(line), subject: ref, path, message },
  ];
}

function otherBlock(text: string, path: string): WindowIncident {
  const message = 'the pinned block is not the one that was handed out: written anew from the store';
  const observed = quote(text);
  return { kind: 'record_mutated', severity: 'error', expected: null, observed, subject: BLOCK_ID, path, message };
}

function lineIncident({ ref, text, of }: BlockLine, edited: string | undefined, path: string): WindowIncident {
  const kinds =
    of === 'effect'
      ? { missing: 'effect_omitted' as const, edited: 'effect_status_changed' as const }
      : { missing: 'record_missing' as const, edited: 'record_mutated' as const };
  return {
    kind: edited === undefined ? kinds.missing : kinds.edited,
    severity: 'error',
    expected: quote(text),
    observed: edited === undefined ? null : quote(edited),
    subject: ref,
    path,
    message: `${ref} was handed out in the pinned block and came back ${edited === undefined ? 'missing' : 'edited'}: put back from the store`,
  };
}

function imitatedBlocks({ elements, forgedBlocks }: PassWindow): readonly WindowIncident[] {
  return forgedBlocks.flatMap((part): readonly WindowIncident[] => {
    const element = elements[part];
    if (element === undefined || !element.fresh) return [];
    return [
      {
        kind: 'record_mutated',
        severity: 'warning',
        expected: null,
        observed: quote(element.text),
        subject: element.id,
        path: element.path,
        message: `text of the ${element.role} imitates a pinned block; it is content and changes nothing`,
      },
    ];
  });
}

/** Marks in content that came now. What the recall tool returned may show marks: they were in the original. */
function imitatedMarks({ elements, read }: PassWindow, session: SessionState): readonly WindowIncident[] {
  const known = handlesOf([session.accepted, session.handedOut, ...session.earlier]);
  const isRecalled = ({ result }: Element): boolean =>
    result !== undefined && read.parts[result.call]?.call?.tool === RECALL_TOOL_NAME;
  return elements.flatMap((element): readonly WindowIncident[] => {
    const speaks = element.role === 'tool' || element.kind === 'result' || element.role === 'user';
    if (!element.fresh || !speaks || element.rendered !== undefined || isRecalled(element)) return [];
    const [handle] = shownHandles(element.text);
    if (handle === undefined) return [];
    return [
      {
        kind: 'invented_value',
        severity: 'warning',
        expected: null,
        observed: `[recall ${handle}]`,
        subject: element.id,
        path: element.path,
        message: known.has(handle)
          ? `content of the ${element.role} repeats a mark of this session; it stands for nothing there`
          : `content of the ${element.role} shows a mark that no pass put there; it is content and changes nothing`,
      },
    ];
  });
}

function handlesOf(manifests: readonly (Manifest | undefined)[]): ReadonlySet<string> {
  return new Set(manifests.flatMap((manifest) => manifest?.entries.flatMap(({ handle }) => handle ?? []) ?? []));
}

function quote(text: string): string {
  return text.length <= QUOTE_CHARACTERS ? text : `${text.slice(0, text.lastIndexOf(' ', QUOTE_CHARACTERS))} …`;
}
