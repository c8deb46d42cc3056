import { detectFormat } from '../formats/detect-format';
import { findJson } from '../formats/find-json';
import { items, member, sourceOf, stringValue, type JsonNode } from '../json';
import { FORMAT_NAMES, type FormatName } from '../terms';
import { isAgentsRunState, readAgentsRunState } from './agents-run-state';
import { isClaudeCode, readClaudeCode } from './claude-code';
import { isCodexRollout, readCodexRollout } from './codex-rollout';
import { isIntercode, readIntercode } from './intercode';
import { readJsonLines, type JsonLine, type JsonLines } from './json-lines';
import { openHandsEvents, readOpenHands } from './openhands';
import { openHandsSdkEvents, readOpenHandsSdk } from './openhands-sdk';
import { isPiSession, readPiSession } from './pi-session';
import { isGeminiResponses, readGeminiResponses, windowOfAnswer } from './recorded-answers';
import {
  isMiniSweAgentCalls,
  isSweAgent,
  miniSweAgentMessages,
  readMiniSweAgent,
  readMiniSweAgentCalls,
  readSweAgent,
} from './swe-agent';
import { isTau2Bench, readTau2Bench } from './tau2-bench';
import { isSpan, isTrace, readTrace } from './traces';
import { titleOf, type Transcript, type TranscriptAnswer, type TranscriptKind } from './transcript';
import { isUiStream, readUiStream } from './ui-stream';

interface LinesReader {
  readonly kind: TranscriptKind;
  shows(lines: readonly JsonLine[]): boolean;
  read(file: JsonLines): Transcript;
}

/** Kinds of JSON Lines; a text shows at most one of them. */
const LINES_READERS: readonly LinesReader[] = [
  { kind: 'pi-session', shows: isPiSession, read: readPiSession },
  { kind: 'claude-code', shows: isClaudeCode, read: readClaudeCode },
  { kind: 'codex-rollout', shows: isCodexRollout, read: readCodexRollout },
  { kind: 'gemini-responses', shows: isGeminiResponses, read: readGeminiResponses },
];

/**
 * Reads the text of a transcript file as a window.
 *
 * Knows sessions of Claude Code, pi and Codex and answers of Gemini's command line (JSON Lines), events of OpenHands,
 * trajectories of SWE-agent and mini-SWE-agent, rows of tau-bench (`traj`), results of tau2-bench, InterCode, traces of
 * OpenTelemetry, OpenInference and Langfuse, states of OpenAI's agents, streams of the AI SDK, records of one API call (`{endpoint, request}`), and lists
 * of messages or requests of any window format. `hint` is a window format or a kind of transcript that wins over what the
 * text looks like. Of several sessions in one text it reads the longest. Strings and objects of equal shape leave as their source text.
 */
export function readTranscript(text: string, hint?: FormatName | TranscriptKind): TranscriptAnswer {
  const root = findJson(text);
  const hinted = LINES_READERS.find(({ kind }) => kind === hint);
  if (root !== undefined && hinted === undefined && !isLine(root)) return readDocument(text, root, hint);
  const file = readJsonLines(text);
  const reader = hinted ?? LINES_READERS.find(({ shows }) => shows(file.lines));
  if (reader !== undefined) return answer(reader.read(file));
  const first = file.lines[0];
  if (first !== undefined && file.lines.length === 1) return readDocument(first.text, first.node, hint);
  const longest = longestOf(readRows(file, hint));
  if (longest !== undefined) return answer(longest);
  const reason = root === undefined && file.lines.length === 0 ? 'The text is no JSON' : 'No known kind of transcript';
  return { kind: 'unreadable', reason };
}

/**
 * Every session of a text: a file of JSON Lines may hold one in each row. Of any other text the one that
 * {@link readTranscript} reads.
 */
export function readTranscripts(text: string, hint?: FormatName | TranscriptKind): readonly TranscriptAnswer[] {
  const file = readJsonLines(text);
  const isLog = LINES_READERS.some(({ kind, shows }) => kind === hint || shows(file.lines));
  const rows = isLog || file.lines.length < 2 ? [] : readRows(file, hint);
  return rows.length === 0 ? [readTranscript(text, hint)] : rows.map(answer);
}

/** The sessions of rows that are documents of their own; lines that are spans are one trace. */
function readRows({ lines }: JsonLines, hint: FormatName | TranscriptKind | undefined): readonly Transcript[] {
  if (lines.some(({ node }) => isSpan(node))) {
    const text = `[${lines.map((line) => line.text).join(',')}]`;
    const root = findJson(text);
    const trace = root === undefined ? undefined : readTrace(text, root);
    return trace === undefined ? [] : [trace];
  }
  return lines.flatMap(({ text, node }) => {
    const read = node.kind === 'object' ? readDocument(text, node, hint) : undefined;
    return read?.kind === 'transcript' ? [read.transcript] : [];
  });
}

function longestOf(transcripts: readonly Transcript[]): Transcript | undefined {
  return transcripts.reduce<Transcript | undefined>(
    (best, one) => (best === undefined || one.source.length > best.source.length ? one : best),
    undefined,
  );
}

/** A file of JSON Lines with a single line is a JSON document, too. */
function isLine(root: JsonNode): boolean {
  const isRecord = member(root, 'type') !== undefined || member(root, 'method') !== undefined;
  return isRecord && member(root, 'messages') === undefined;
}

function readDocument(text: string, root: JsonNode, hint: FormatName | TranscriptKind | undefined): TranscriptAnswer {
  const format = formatHint(hint);
  const session = format === undefined ? readSession(text, root) : undefined;
  if (session !== undefined) return answer(session);
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
  const raw = member(root, 'raw_messages');
  if (raw?.kind === 'array') {
    // The log of a model without function calling: what the agent said, before calls were written as text.
    const origin = { kind: 'request-record', format: 'openai-chat', sessionHint: undefined, title: undefined } as const;
    return window(sourceOf(text, raw), raw, origin);
  }
  const request = member(root, 'request');
  if (request?.kind === 'object') {
    const byEndpoint = formatOfEndpoint(stringValue(member(root, 'endpoint')) ?? '');
    const origin = { kind: 'request-record', sessionHint: undefined, title: undefined } as const;
    return window(sourceOf(text, request), request, { ...origin, format: format ?? byEndpoint });
  }
  if (request?.kind === 'null') {
    const lone = windowOfAnswer(text, member(root, 'response') ?? root);
    if (lone === undefined) return { kind: 'unreadable', reason: 'The record holds no request' };
    const origin = { kind: 'request-record', sessionHint: undefined, title: 'Answer without its request' } as const;
    return window(lone.source, root, { ...origin, format: lone.format }, [{ kind: 'beginning_missing', subject: '' }]);
  }
  return window(text, root, { kind: 'window', format, sessionHint: undefined, title: undefined });
}

/** The documents that are no window themselves. */
function readSession(text: string, root: JsonNode): Transcript | undefined {
  const logged = items(member(root, 'loglines') ?? root).map((node, index) => ({ number: index + 1, text, node }));
  const isWebSession =
    member(root, 'loglines') !== undefined && logged.some(({ node }) => member(node, 'message') !== undefined);
  if (isWebSession || isClaudeCode(logged)) return readClaudeCode({ lines: logged, unreadable: [] });
  const events = openHandsEvents(root);
  if (events !== undefined) return readOpenHands(text, events);
  const sdkEvents = openHandsSdkEvents(root);
  if (sdkEvents !== undefined) return readOpenHandsSdk(text, sdkEvents);
  if (isSweAgent(root)) return readSweAgent(text, root);
  if (isTau2Bench(root)) return readTau2Bench(text, root);
  if (isMiniSweAgentCalls(root)) return readMiniSweAgentCalls(text, root);
  const answers = miniSweAgentMessages(root);
  if (answers !== undefined) return readMiniSweAgent(text, answers);
  if (isIntercode(root)) return readIntercode(text, root);
  if (isAgentsRunState(root)) return readAgentsRunState(text, root);
  if (isUiStream(root)) return readUiStream(text, root);
  return isTrace(root) ? readTrace(text, root) : undefined;
}

/** The format of an API by its address; Claude's models stand in addresses of other APIs. */
function formatOfEndpoint(endpoint: string): FormatName | undefined {
  if (endpoint.includes('bedrock')) return endpoint.includes('/converse') ? 'bedrock-converse' : undefined;
  if (endpoint.includes('generativelanguage') || endpoint.includes(':generateContent')) return 'gemini';
  if (endpoint.endsWith('/responses')) return 'openai-responses';
  return endpoint.includes('anthropic') ? 'anthropic' : undefined;
}

interface Origin {
  readonly kind: TranscriptKind;
  readonly format: FormatName | undefined;
  readonly sessionHint: string | undefined;
  readonly title: string | undefined;
}

function window(source: string, node: JsonNode, origin: Origin, repairs: Transcript['repairs'] = []): TranscriptAnswer {
  const format = origin.format ?? detectFormat(source);
  if (format === undefined) return { kind: 'unreadable', reason: 'No known list of messages' };
  const model = stringValue(member(node, 'model'));
  const title = origin.title ?? titleOf(firstUserWords(node) ?? format);
  return answer({ kind: origin.kind, format, source, model, sessionHint: origin.sessionHint, title, repairs });
}

function answer(transcript: Transcript): TranscriptAnswer {
  return { kind: 'transcript', transcript };
}

function formatHint(hint: FormatName | TranscriptKind | undefined): FormatName | undefined {
  return FORMAT_NAMES.find((name) => name === hint);
}

function firstUserWords(node: JsonNode): string | undefined {
  const keys = ['messages', 'elements', 'input', 'contents'];
  const list = node.kind === 'array' ? node : keys.map((key) => member(node, key)).find((found) => found !== undefined);
  const message = items(list).find((item) => stringValue(member(item, 'role')) === 'user');
  const content = member(message, 'content') ?? member(message, 'parts');
  return stringValue(list) ?? stringValue(content) ?? stringValue(member(items(content)[0], 'text'));
}

function numberText(text: string, node: JsonNode | undefined): string | undefined {
  return node?.kind === 'number' ? sourceOf(text, node) : stringValue(node);
}
