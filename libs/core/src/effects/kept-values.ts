import type { ToolContract } from '../classify/tool-contract';
import { compilePattern } from '../classify/safe-pattern';
import type { ResultText } from '../classify/result-text';
import { memberEntries, type JsonNode } from '../json';
import { selectJsonPath } from '../json-path';
import { scalarText, sourceReader, type SourceReader } from './canonical-arguments';
import { isSecretName } from '../secrets/secret-names';

/** A ledger line keeps few values: what a later step would ask for. */
const MAX_KEPT = 3;
const MAX_KEPT_CHARS = 80;
/** Members looked at in one result; receipts are small, tables are not receipts. */
const MAX_LEAVES = 400;

/** Names of values that later calls need, strongest first. */
const KEPT_NAMES: readonly RegExp[] = [
  /^(?:id|uuid|ref|reference|ticket|number|sha|commit|url|uri|handle)$|(?:_id|Id|ID|_number|_sha|_url|_ref|_code)$/u,
  /^(?:status|state|result|version|etag|tag|branch|key)$|(?:_status|_state|_version|_key)$/iu,
  /^(?:amount|total|count|price|balance|quantity|size)$|(?:_amount|_total|_count|_price|_balance|_at|_date)$/iu,
];

/** What reads like an identifier or a day is kept behind what is named like one: `TX-993177`, `2026-12-24`. */
const IDENTIFIER = /^(?=[^\d]*\d)[A-Za-z0-9#][\w#.:/-]{3,39}$/u;

/** Short values in a text result, each with the name it is kept under, those that a later step asks for first. */
const TEXT_VALUES: readonly { readonly name: string | undefined; readonly pattern: RegExp }[] = [
  {
    name: 'url',
    pattern: /https?:\/\/[^\s<>"'`)\]]{4,60}\/(?:pull|pulls|issues|merge_requests|runs|releases)\/[\w.-]{1,40}/gu,
  },
  { name: 'range', pattern: /\b[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}\b/gu },
  { name: 'commit', pattern: /(?<=^\[[\w./-]{1,100} )[0-9a-f]{7,40}(?=\])/gmu },
  {
    name: undefined,
    pattern:
      /\b((?:\w{1,20}[_-])?(?:id|number|ref|reference|ticket|code))\s?[=:#]\s?([A-Za-z0-9][\w.-]{0,39}\d[\w.-]{0,20})\b/giu,
  },
];

/** Any URL: worth keeping only where a text has one, else they are advertisements of build tools. */
const ANY_URL = /https?:\/\/[^\s<>"'`)\]]{4,72}/gu;

/** Head of a text result that is searched for values, and its tail. */
const TEXT_HEAD_CHARS = 4_000;

/**
 * Short typed values of a result that stay with its ledger line, as `name: value`: at most 3, each at most 80
 * characters, never prose. The contract's `keep` decides; without one, scalars of the JSON whose names later calls ask
 * for, or URLs, commit ranges and `id: value` pairs of a text. Secret values are never kept.
 */
export function keptValues(contract: ToolContract | undefined, result: ResultText): readonly string[] {
  const found =
    contract?.keep === undefined ? structuralValues(contract, result) : declaredValues(contract.keep, result);
  return [...new Set(found.filter((line) => line.length <= MAX_KEPT_CHARS))].slice(0, MAX_KEPT);
}

function declaredValues(keep: readonly string[], result: ResultText): string[] {
  return keep.flatMap((entry) => {
    if (entry.startsWith('/')) return matchingLines(entry, result.text);
    const json = result.json();
    if (json === undefined) return [];
    const read = sourceReader(json, result.text);
    const name = /([^.[\]*$]+)(?:\[[^\]]*\])*$/u.exec(entry)?.[1] ?? entry;
    return selectJsonPath(json, entry).flatMap((node) => {
      const value = scalarText(node, read);
      return value === undefined || /[\r\n]/u.test(value) ? [] : [`${name}: ${value}`];
    });
  });
}

function matchingLines(entry: string, text: string): string[] {
  const pattern = compilePattern(entry.replace(/^\//u, '').replace(/\/$/u, ''));
  if (pattern.kind === 'unsafe') return [];
  const lines = text.split(/\r?\n/u).filter((line) => line.length <= MAX_KEPT_CHARS);
  return lines
    .filter((line) => pattern.test(line))
    .map((line) => line.trim())
    .slice(-MAX_KEPT);
}

function structuralValues(contract: ToolContract | undefined, result: ResultText): string[] {
  const json = result.json();
  return json === undefined ? textValues(result.text) : jsonValues(contract, json, result.text);
}

function jsonValues(contract: ToolContract | undefined, json: JsonNode, text: string): string[] {
  const read = sourceReader(json, text);
  const secret = new Set((contract?.secret ?? []).flatMap((path) => selectJsonPath(json, path)));
  const leaves: { readonly name: string; readonly value: string; readonly rank: number }[] = [];
  const pending: JsonNode[] = [json];
  for (let at = 0; at < pending.length && leaves.length < MAX_LEAVES; at += 1) {
    const node = pending[at];
    for (const { key, value } of memberEntries(node)) {
      if (value.kind === 'object' && pending.length < MAX_LEAVES) pending.push(value);
      const written = typedScalar(value, read);
      if (written === undefined || secret.has(value) || isSecretName(key)) continue;
      const named = KEPT_NAMES.findIndex((names) => names.test(key));
      const rank = named === -1 && value.kind === 'string' && IDENTIFIER.test(written) ? KEPT_NAMES.length : named;
      if (rank >= 0) leaves.push({ name: key, value: written, rank });
    }
  }
  return leaves.sort((a, b) => a.rank - b.rank).map(({ name, value }) => `${name}: ${value}`);
}

/** A number or one word: text with spaces could be a sentence, and a tool's sentence has no place in the ledger. */
function typedScalar(node: JsonNode, read: SourceReader): string | undefined {
  const value = scalarText(node, read);
  return value !== undefined && value !== '' && !/[\s<>|]/u.test(value) ? value : undefined;
}

function textValues(text: string): string[] {
  const searched =
    text.length <= TEXT_HEAD_CHARS * 2 ? text : `${text.slice(0, TEXT_HEAD_CHARS)}\n${text.slice(-TEXT_HEAD_CHARS)}`;
  const urls = new Set([...searched.matchAll(ANY_URL)].map(([url]) => url));
  const named = TEXT_VALUES.flatMap(({ name, pattern }) =>
    [...searched.matchAll(pattern)].map((match) =>
      name === undefined ? `${match[1] ?? ''}: ${match[2] ?? ''}` : `${name}: ${match[0]}`,
    ),
  );
  const found = urls.size === 1 ? [...named, ...[...urls].map((url) => `url: ${url}`)] : named;
  return found.filter((line) => !isSecretName(line.split(':')[0] ?? '') && !/:\/\/[^/\s]*:[^/\s]*@/u.test(line));
}
