import { countWindow, type FormatName, type Outcome, type ReadWindow, type SegmentDraft } from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import type { SessionState, TokenCounter } from '@holdfast/core';
import { isObject, listOf, numberOf, objectOf, textOf } from '../json-values';
import { runPass } from '../session-pass';
import { readWindow } from '../window-text';
import { type FieldCase, sourceOfCase, withMessages } from './field-case';
import { StubSummarizer } from './stub-summarizer';

/** Keeps the segments where checkers can read them. */
export class ReadableStore extends MemorySessionStore {
  readonly segmentTexts: SegmentDraft[] = [];

  override recordSegment(segment: SegmentDraft): Promise<void> {
    this.segmentTexts.push(segment);
    return super.recordSegment(segment);
  }
}

/** A case played at one budget. */
export interface PlayedCase {
  readonly fieldCase: FieldCase;
  readonly format: FormatName;
  readonly given: ReadWindow;
  readonly givenSource: string;
  readonly budgetTokens: number;
  /** Tokens of the product's counter for one of the case's. */
  readonly scale: number;
  /** Tokens that pictures add to the case's own figures. */
  readonly pictureTokens: number;
  /** Every pass, in order. */
  readonly outcomes: readonly Outcome[];
  /** The window that the caller has in the end; undefined when the last pass refused. */
  readonly output: string | undefined;
  readonly outputTokens: number;
  readonly store: ReadableStore;
  readonly session: SessionState;
  readonly summarizer: StubSummarizer;
  readonly counter: TokenCounter;
  /** Runs one more pass over a window, at another budget if one is given; what it hands out is not adopted. */
  again(source: string, budgetTokens?: number): Promise<Outcome>;
}

/** What a case asks for that only a server can do. */
export class NotPlayable extends Error {}

/** Plays the steps of a case at a budget in the case's own tokens; without steps it is one pass. */
export async function playCase(
  fieldCase: FieldCase,
  format: FormatName,
  budget: number,
  counter: TokenCounter,
): Promise<PlayedCase> {
  const givenSource = sourceOfCase(fieldCase);
  const given = readWindow(format, givenSource);
  if (given === undefined) throw new NotPlayable('history held by the provider');
  const count = await countWindow(given, counter);
  const pictureTokens = given.parts.reduce((sum, part) => sum + (part.attachment?.tokens ?? 0), 0);
  const scale = fieldCase.approxTokens === 0 ? 1 : (count.total - pictureTokens) / fieldCase.approxTokens;
  const rule = textOf(fieldCase.given['budget_rule']);
  const budgetTokens =
    rule === 'tokens(window)-1' ? count.total - 1 : Math.max(1, Math.round(budget * scale) + pictureTokens);

  const store = new ReadableStore(fieldCase.id);
  const stub = fieldCase.given['summarizer'];
  const summarizer = new StubSummarizer(isObject(stub) ? stub : undefined);
  const again = (source: string, tokens = budgetTokens) =>
    runPass({ format, source, recall: 'tool', contracts: {}, budgetTokens: tokens, summarizer }, store, counter);

  let current = givenSource;
  const outcomes: Outcome[] = [];
  for (const step of stepsOf(fieldCase)) {
    const action = textOf(step['do']);
    if (action === 'compact') {
      const outcome = await again(current);
      outcomes.push(outcome);
      if (outcome.outcome === 'compacted') {
        store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
        current = outcome.proven.window;
      }
    } else if (action === 'append_turns') current = withMessages(current, turns(numberOf(step['n']) ?? 1));
    // A message that comes in while a pass runs stands behind the prefix that the answer replaces.
    else if (action === 'append') current = withMessages(current, [objectOf(step['message'])]);
    else throw new NotPlayable(`step ${action ?? '?'}`);
  }
  const refused = outcomes[outcomes.length - 1]?.outcome === 'refused';
  const read = readWindow(format, current);
  const outputTokens = read === undefined ? 0 : (await countWindow(read, counter)).total;
  return {
    fieldCase,
    format,
    given,
    givenSource,
    budgetTokens,
    scale,
    pictureTokens,
    outcomes,
    output: refused ? undefined : current,
    outputTokens,
    store,
    session: await store.load(),
    summarizer,
    counter,
    again,
  };
}

function stepsOf({ given }: FieldCase): readonly Readonly<Record<string, unknown>>[] {
  const steps = listOf(given['steps']).map(objectOf);
  return steps.length === 0 ? [{ do: 'compact' }] : steps;
}

/** Short turns, each other than the one before. */
function turns(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => [
    { role: 'user', content: `Go on with part ${index + 1}.` },
    { role: 'assistant', content: `Part ${index + 1} is looked at; nothing new in it.` },
  ]).flat();
}
