import { detectFormat } from '../formats/detect-format';
import { findJson } from '../formats/find-json';
import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import type { FormatName } from '../terms';
import { isClaudeCode, readClaudeCode } from './claude-code';
import { readJsonLines } from './json-lines';
import { isPiSession, readPiSession } from './pi-session';
import { titleOf, type Transcript, type TranscriptAnswer, type TranscriptKind } from './transcript';

/**
 * Reads the text of a transcript file as a window.
 *
 * Knows sessions of Claude Code and pi (JSON Lines), rows of tau-bench (`traj`), records of one API call
 * (`{endpoint, request}`), and lists of messages or requests of any window format. `hint` is a window format or a kind of
 * transcript that wins over what the text looks like. Strings and objects of equal shape leave as their source text.
 */
export function readTranscript(text: string, hint?: FormatName | TranscriptKind): TranscriptAnswer {
  const root = findJson(text);
  if (root !== undefined && !isLine(root)) return readDocument(text, root, hint);
  const file = readJsonLines(text);
  if (hint === 'pi-session' || (hint !== 'claude-code' && isPiSession(file.lines))) return answer(readPiSession(file));
  if (hint === 'claude-code' || isClaudeCode(file.lines)) return answer(readClaudeCode(file));
  const reason = root === undefined && file.lines.length === 0 ? 'The text is no JSON' : 'No known kind of transcript';
  return { kind: 'unreadable', reason };
}

/** A file of JSON Lines with a single line is a JSON document, too. */
function isLine(root: JsonNode): boolean {
  return member(root, 'type') !== undefined && member(root, 'messages') === undefined;
}

function readDocument(text: string, root: JsonNode, hint: FormatName | TranscriptKind | undefined): TranscriptAnswer {
  const traj = member(root, 'traj');
  if (traj?.kind === 'array') {
    const task = numberText(text, member(root, 'task_id'));
    const trial = numberText(text, member(root, 'trial'));
    return window(sourceOf(text, traj), traj, {
      kind: 'tau-bench',
      format: 'openai-chat',
      sessionHint: task === undefined ? undefined : `tau-bench-${task}-${trial ?? '0'}`,
      title: task === undefined ? undefined : `tau-bench task ${task}, trial ${trial ?? '0'}`,
    });
  }
  const request = member(root, 'request');
  if (request?.kind === 'object') {
    const endpoint = stringValue(member(root, 'endpoint')) ?? '';
    const byEndpoint = endpoint.includes('anthropic') ? 'anthropic' : undefined;
    return window(sourceOf(text, request), request, {
      kind: 'request-record',
      format: formatHint(hint) ?? byEndpoint,
      sessionHint: undefined,
      title: undefined,
    });
  }
  if (request?.kind === 'null') return { kind: 'unreadable', reason: 'The record holds no request' };
  return window(text, root, { kind: 'window', format: formatHint(hint), sessionHint: undefined, title: undefined });
}

interface Origin {
  readonly kind: TranscriptKind;
  readonly format: FormatName | undefined;
  readonly sessionHint: string | undefined;
  readonly title: string | undefined;
}

function window(source: string, node: JsonNode, origin: Origin): TranscriptAnswer {
  const format = origin.format ?? detectFormat(source);
  if (format === undefined) return { kind: 'unreadable', reason: 'No known list of messages' };
  const model = stringValue(member(node, 'model'));
  const title = origin.title ?? titleOf(firstUserWords(node) ?? format);
  return answer({ kind: origin.kind, format, source, model, sessionHint: origin.sessionHint, title, repairs: [] });
}

function answer(transcript: Transcript): TranscriptAnswer {
  return { kind: 'transcript', transcript };
}

function formatHint(hint: FormatName | TranscriptKind | undefined): FormatName | undefined {
  return hint === 'elements' || hint === 'openai-chat' || hint === 'anthropic' ? hint : undefined;
}

function firstUserWords(node: JsonNode): string | undefined {
  const list = node.kind === 'array' ? node : (member(node, 'messages') ?? member(node, 'elements'));
  const message = items(list).find((item) => stringValue(member(item, 'role')) === 'user');
  const content = member(message, 'content');
  return stringValue(content) ?? stringValue(member(items(content)[0], 'text'));
}

function numberText(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'number' ? sourceOf(text, node) : stringValue(node);
}
