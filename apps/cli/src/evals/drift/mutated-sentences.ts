import { type DriftFinding, type DriftSource, findDrift, formatOf, DEFAULT_READ_LIMITS } from '@holdfast/core';
import { loadTranscriptFiles } from '../transcript-files';
import { type Dice, type Mutation, MUTATION_NAMES, type MutationName, mutate, seededDice } from './mutation';

/** A sentence of a transcript with one mutation, and the elements around it. */
export interface MutatedSentence {
  readonly file: string;
  readonly name: MutationName;
  readonly sentence: string;
  readonly mutation: Mutation;
  readonly sources: readonly DriftSource[];
}

/** What the verifier says of a sentence as it stands, and of the mutated one. */
export interface MutationScore {
  readonly mutated: MutatedSentence;
  readonly isFound: boolean;
  readonly falseAlarms: readonly DriftFinding[];
}

const SEED = 20_240_520;
const SENTENCE = /[^.!?\n]{30,300}[.!?]?(?=\s|$)/g;
/** Elements before and after that the verifier sees beside the sentence's own. */
const NEIGHBOURS = 3;
const MAX_ELEMENT = 20_000;

/** As many sentences of a folder's transcripts, each mutated in one way, the ways in turn; the same ones every time. */
export function mutatedSentences(folder: string, count: number): readonly MutatedSentence[] {
  const dice = seededDice(SEED);
  const places = sentencesOf(folder);
  shuffle(places, dice);
  const chosen: MutatedSentence[] = [];
  let way = 0;
  for (const { file, sentence, sources } of places) {
    if (chosen.length >= count) break;
    for (let tries = 0; tries < MUTATION_NAMES.length; tries++) {
      const name = MUTATION_NAMES[(way + tries) % MUTATION_NAMES.length] ?? 'swap';
      const mutation = mutate(name, sentence, dice);
      if (mutation === undefined || mutation.text === sentence) continue;
      chosen.push({ file, name, sentence, mutation, sources });
      way = MUTATION_NAMES.indexOf(name) + 1;
      break;
    }
  }
  return chosen;
}

export function scoreMutation(mutated: MutatedSentence): MutationScore {
  const { sources, sentence, mutation } = mutated;
  const find = (summary: string): readonly DriftFinding[] => findDrift({ mode: 'tolerant', sources, summary });
  return {
    mutated,
    isFound: find(mutation.text).some(({ start, end }) => start < mutation.end && mutation.start < end),
    falseAlarms: find(sentence).filter(({ severity }) => severity === 'error'),
  };
}

interface Place {
  readonly file: string;
  readonly sentence: string;
  readonly sources: readonly DriftSource[];
}

function sentencesOf(folder: string): Place[] {
  const places: Place[] = [];
  for (const { name, transcript } of loadTranscriptFiles(folder, undefined)) {
    const answer = formatOf(transcript.format).read(transcript.source, DEFAULT_READ_LIMITS);
    if (answer.kind !== 'window') continue;
    const elements = answer.window.parts.map(({ text }, index) => ({
      id: `e${index}`,
      text: text.slice(0, MAX_ELEMENT),
    }));
    elements.forEach(({ text }, index) => {
      const sources = elements.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1);
      for (const [sentence] of text.matchAll(SENTENCE)) {
        if (/[a-z]{3,} [a-z]{2,}/i.test(sentence) && !/[\\\u001b]/u.test(sentence))
          places.push({ file: `${name} e${index}`, sentence: sentence.trim(), sources });
      }
    });
  }
  return places;
}

function shuffle(places: Place[], dice: Dice): void {
  for (let index = places.length - 1; index > 0; index--) {
    const other = dice(index + 1);
    const [left, right] = [places[index], places[other]];
    if (left === undefined || right === undefined) continue;
    places[index] = right;
    places[other] = left;
  }
}
