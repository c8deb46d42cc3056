import { findJson } from '../formats/find-json';
import type { JsonNode } from '../json';

/** One line of a JSON Lines file with the text that its node's offsets refer to. */
export interface JsonLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly node: JsonNode;
}

export interface JsonLines {
  readonly lines: readonly JsonLine[];
  /** Numbers of the lines that are no JSON: the last one of a session that is being written is often cut. */
  readonly unreadable: readonly number[];
}

/** Reads a JSON Lines text; blank lines are no lines. */
export function readJsonLines(text: string): JsonLines {
  const lines: JsonLine[] = [];
  const unreadable: number[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const node = findJson(line);
    if (node === undefined) unreadable.push(index + 1);
    else lines.push({ number: index + 1, text: line, node });
  });
  return { lines, unreadable };
}
