import { createHash } from 'node:crypto';
import { type ReadWindow, type Receipt, type SessionStore, shownHandles } from '@holdfast/core';
import { jsonOf } from '../json-values';
import { hasWhole } from '../whole-token';
import { flatWindow, readableText } from '../window-text';
import { isNamedIn } from './named-values';
import type { NeededValue } from './references';

/** What became of one value that a later call needs. */
export interface ValueFate {
  readonly needed: NeededValue;
  /** It stands in the window, byte for byte, as a whole token. */
  readonly verbatim: boolean;
  readonly named: boolean;
  /** It stands in the window, or in an original behind a mark that the window shows. */
  readonly recallable: boolean;
  /** What the pass did to the elements that held it; empty when the value is verbatim and named. */
  readonly cause: string;
}

/** Looks for every needed value in the window that was handed out, and behind the marks that it shows. */
export async function measureSurvival(
  needed: readonly NeededValue[],
  given: ReadWindow,
  output: string,
  receipt: Receipt | undefined,
  store: SessionStore,
): Promise<readonly ValueFate[]> {
  const text = flatWindow(output);
  const parsed = jsonOf(output);
  const sourceLines = new Set(
    flatWindow(given.source)
      .split('\n')
      .map((line) => line.trim()),
  );
  const originals = await originalsShown(text, store);
  return needed.map((value) => {
    const verbatim = hasWhole(text, value.value);
    const named = verbatim && isNamedIn(parsed, value.value, sourceLines);
    const recallable = verbatim || originals.some((original) => hasWhole(original, value.value));
    const cause = named ? '' : causeOf(value.value, given, receipt);
    return { needed: value, verbatim, named, recallable, cause };
  });
}

async function originalsShown(text: string, store: SessionStore): Promise<readonly string[]> {
  const originals: string[] = [];
  for (const handle of shownHandles(text)) {
    const original = await store.findOriginal(handle);
    if (original === undefined) continue;
    const sha256 = createHash('sha256').update(original.text).digest('hex');
    // A lone surrogate has no UTF-8 form of its own: those originals are checked by the store alone.
    if (sha256 === original.sha256 || !original.text.isWellFormed()) originals.push(readableText(original.text));
  }
  return originals;
}

/** Operation, kind, tool and rule of the elements that held a value. */
function causeOf(value: string, given: ReadWindow, receipt: Receipt | undefined): string {
  const byPath = new Map(receipt?.elements.map((element) => [element.path, element]));
  const causes = new Set<string>();
  for (const part of given.parts) {
    if (part.role === 'system' || !hasWhole(readableText(part.text), value)) continue;
    const element = byPath.get(part.path);
    const call = part.call ?? given.parts[part.result?.call ?? -1]?.call;
    const tool = call === undefined ? '' : ` of ${call.tool}`;
    causes.add(`${element?.operation ?? 'not in receipt'} ${part.role} ${part.kind}${tool} (${element?.rule ?? '?'})`);
  }
  return causes.size === 0 ? 'not found in the window before the cut' : [...causes].sort().join(' + ');
}
