import { quoteJson, sourceOf, type JsonNode } from '../json';
import { selectJsonPath } from '../json-path';
import { itemTree, type ItemTree, type JsonItem } from './json-item';
import { isValueKey, rankedCandidates, type Candidate, type LeastWorth } from './json-worth';
import { packJson } from './json-table';
import { parseContainer } from './repack';
import type { ReducedResult, ReduceOptions } from './reduction';
import { writeNamed } from './write-named';

/** The member that says what is missing; a result that has one is not reduced again. */
export const MARK_KEY = '_holdfast';
/** Characters a token of keys, ids and numbers has at least; texts in words have more. */
const CHARACTERS_PER_TOKEN = 2.8;
/** Characters of the member that says what is missing. */
const MARK_LENGTH = 70;
/** Names in the mark; the rest is counted. */
const MAX_NAMES = 2;

/** Shrinks a JSON result; see `reduceResult`. */
export function reduceJson(text: string, root: JsonNode, options: ReduceOptions): ReducedResult | undefined {
  if (root.kind === 'object' && root.members.some((member) => member.key === MARK_KEY)) return undefined;
  const tree = select(root, options, options.maxTokens * CHARACTERS_PER_TOKEN - MARK_LENGTH);
  const missing = missingNames(tree.root);
  if (missing.length === 0) return undefined;
  const leftOut =
    missing.length > MAX_NAMES
      ? `${missing.slice(0, MAX_NAMES).join(', ')} and ${String(missing.length - MAX_NAMES)} more`
      : missing.join(', ');
  const { body, isPacked } = render(text, tree.root);
  const legend = isPacked ? '; #columns name the cells' : '';
  return { text: withMark(body, `left out: ${leftOut}${legend} ${options.recallMark}`), leftOut };
}

/**
 * The named scalars of a JSON result on one line, without a mark: most wanted first, as many as fit.
 * Undefined for other text, and where nothing fits.
 */
export function keptScalars(
  text: string,
  options: Omit<ReduceOptions, 'recallMark'> & { readonly worth?: LeastWorth },
): string | undefined {
  const root = parseContainer(text);
  if (root === undefined) return undefined;
  const tree = select(root, options, options.maxTokens * CHARACTERS_PER_TOKEN);
  return tree.root.children.some((child) => child.kept) ? writeNamed(text, tree.root) : undefined;
}

function select(
  root: JsonNode,
  options: Omit<ReduceOptions, 'recallMark'> & { readonly worth?: LeastWorth },
  allowance: number,
): ItemTree {
  const tree = itemTree(root, isValueKey);
  const selection = new Selection(tree, allowance);
  keepDeclared(tree, options.keep, selection);
  for (const candidate of rankedCandidates(tree, options, options.worth)) selection.keepWithinAllowance(candidate);
  return tree;
}

/** Tracks what stays and what it costs. */
class Selection {
  private used = 0;
  private readonly keyedColumns = new Set<number>();

  constructor(
    tree: ItemTree,
    private readonly allowance: number,
  ) {
    tree.root.kept = true;
  }

  keep(item: JsonItem): void {
    this.used += this.costOf(item);
    this.mark(item);
  }

  private mark(item: JsonItem): void {
    for (let kept: JsonItem | undefined = item; kept !== undefined && !kept.kept; kept = kept.parent) {
      kept.kept = true;
      this.keyedColumns.add(kept.column);
    }
  }

  /** Keeps a candidate whole where it fits; of one that may be split, as many values as fit. */
  keepWithinAllowance({ items, maySplit, sharesValue }: Candidate): void {
    const missing = items.filter((item) => !item.kept);
    if (sharesValue || missing.length === 1) {
      const [first, ...others] = missing;
      if (first === undefined || this.used + this.costOf(first) > this.allowance) return;
      this.keep(first);
      for (const item of others) this.mark(item);
      return;
    }
    const room = this.allowance - this.used;
    const isWhole = missing.reduce((sum, item) => sum + this.costOf(item), 0) <= room;
    if (!isWhole && !maySplit) return;
    for (const item of missing) if (isWhole || this.used + this.costOf(item) <= this.allowance) this.keep(item);
  }

  keepWhole(item: JsonItem): void {
    if (item.children.length === 0) this.keep(item);
    for (const child of item.children) this.keepWhole(child);
  }

  /** A column's key is paid once: like objects become rows of a table. */
  private costOf(item: JsonItem): number {
    let cost = item.children.length === 0 ? item.node.end - item.node.start : 2;
    for (let added: JsonItem | undefined = item; added !== undefined && !added.kept; added = added.parent) {
      cost += 2;
      if (added.member !== undefined && !this.keyedColumns.has(added.column)) {
        cost += added.member.keyEnd - added.member.keyStart + 1;
      }
    }
    return cost;
  }
}

function keepDeclared(tree: ItemTree, keep: readonly string[], selection: Selection): void {
  const declared = new Set<JsonNode>();
  for (const pattern of keep) {
    if (pattern.startsWith('/')) continue;
    for (const node of selectJsonPath(tree.root.node, pattern)) declared.add(node);
  }
  if (declared.size === 0) return;
  const visit = (item: JsonItem): void => {
    if (declared.has(item.node)) selection.keepWhole(item);
    else for (const child of item.children) visit(child);
  };
  visit(tree.root);
}

/** Names of what is missing, biggest first; parts of a list are counted. */
function missingNames(root: JsonItem): readonly string[] {
  const sizes = new Map<string, number>();
  const visit = (item: JsonItem): void => {
    const missing = item.children.filter((child) => !child.kept);
    if (item.node.kind === 'array' && missing.length > 0) {
      const name = `${String(missing.length)} of ${String(item.children.length)} ${item.member?.key ?? 'items'}`;
      sizes.set(name, (sizes.get(name) ?? 0) + sizeOf(missing));
    } else {
      for (const child of missing) {
        const name = child.member?.key ?? 'items';
        sizes.set(name, (sizes.get(name) ?? 0) + sizeOf([child]));
      }
    }
    for (const child of item.children) if (child.kept) visit(child);
  };
  visit(root);
  return [...sizes].sort((left, right) => right[1] - left[1]).map(([name]) => name);
}

function sizeOf(items: readonly JsonItem[]): number {
  return items.reduce((sum, item) => sum + item.node.end - item.node.start, 0);
}

function render(text: string, root: JsonItem): { readonly body: string; readonly isPacked: boolean } {
  const pieces: string[] = [];
  writeKept(text, root, pieces);
  const plain = pieces.join('');
  const node = parseContainer(plain);
  const packed = node === undefined ? undefined : packJson(plain, node);
  const isPacked = packed !== undefined && packed.hasTable && packed.json.length < plain.length;
  return { body: isPacked ? packed.json : plain, isPacked };
}

function withMark(body: string, words: string): string {
  const end = body.length - 1;
  const separator = body.length === 2 ? '' : ',';
  if (body.endsWith(']')) return `${body.slice(0, end)}${separator}{"${MARK_KEY}":${quoteJson(words)}}]`;
  return `${body.slice(0, end)}${separator}"${MARK_KEY}":${quoteJson(words)}}`;
}

function writeKept(text: string, item: JsonItem, pieces: string[]): void {
  const { node } = item;
  if (node.kind !== 'array' && node.kind !== 'object') {
    pieces.push(sourceOf(text, node));
    return;
  }
  const kept = item.children.filter((child) => child.kept);
  if (kept.length === 0 && item.children.length > 0 && item.parent !== undefined) {
    pieces.push('"…"');
    return;
  }
  pieces.push(node.kind === 'array' ? '[' : '{');
  kept.forEach((child, position) => {
    if (position > 0) pieces.push(',');
    if (child.member !== undefined) pieces.push(text.slice(child.member.keyStart, child.member.keyEnd), ':');
    writeKept(text, child, pieces);
  });
  pieces.push(node.kind === 'array' ? ']' : '}');
}
