import { sha256Hex } from '../digest';
import { formatOf } from '../formats';
import { readMended } from '../formats/read-mended';
import type { ReadLimits } from '../formats/window-format';
import { elementDigest } from '../window/identity';
import { receiptHash, type Receipt } from './receipt';
import { receiptFault } from './receipt-shape';

/** The pass has accepted the window already, whatever its own limits were. */
const READ_LIMITS: ReadLimits = { maxDepth: 1_000, maxElements: 10_000_000 };

export interface ReceiptFinding {
  /** `shape`: it cannot be read as a receipt, and nothing else was checked. */
  readonly check: 'shape' | 'hash' | 'chain' | 'input' | 'output' | 'element' | 'size' | 'total';
  readonly message: string;
}

export interface ReceiptEvidence {
  /** The window that went in, as it was sent. */
  readonly input: string;
  /** The window that came out. */
  readonly output: string;
  /** The receipt before this one, when the chain is to be checked. */
  readonly previous?: Receipt;
}

/**
 * Checks a receipt offline against its two windows: its hash, the digests of both windows, that every element of the
 * input is accounted for exactly once, that every kept one stands in the output, and that the counts per class and
 * operation are those of the elements. Proves the windows, not that the store still holds. Never throws for what a
 * receipt holds: one that cannot be read is a finding. An empty answer: it holds.
 */
export function verifyReceipt(receipt: Receipt, evidence: ReceiptEvidence): readonly ReceiptFinding[] {
  const fault = receiptFault(receipt);
  if (fault !== undefined) return [{ check: 'shape', message: `The receipt cannot be read: ${fault}` }];
  const findings: ReceiptFinding[] = [];
  if (receiptHash(receipt) !== receipt.hash) {
    findings.push({ check: 'hash', message: 'The receipt was changed after it was sealed' });
  }
  if (evidence.previous !== undefined && receipt.previous !== evidence.previous.hash) {
    findings.push({ check: 'chain', message: 'The receipt does not follow the one given' });
  }
  if (sha256Hex(evidence.input) !== receipt.input_sha256) {
    findings.push({ check: 'input', message: 'The input window is not the one that the pass read' });
  }
  if (sha256Hex(evidence.output) !== receipt.output_sha256) {
    findings.push({ check: 'output', message: 'The output window is not the one that the pass handed out' });
  }
  if (receipt.tokens.after > receipt.tokens.before && receipt.put_back !== true) {
    findings.push({ check: 'size', message: 'The output is larger than the input' });
  }
  return [...findings, ...totalFindings(receipt), ...elementFindings(receipt, evidence)];
}

function totalFindings({ classes, operations, elements }: Receipt): readonly ReceiptFinding[] {
  const counted = (name: 'class' | 'operation', total: Readonly<Record<string, number>>): readonly ReceiptFinding[] =>
    Object.entries(total).flatMap(([term, count]) => {
      const found = elements.filter((element) => element[name] === term).length;
      return found === count
        ? []
        : [
            {
              check: 'total',
              message: `The receipt counts ${String(count)} of ${term}, its elements are ${String(found)}`,
            },
          ];
    });
  return [...counted('class', classes), ...counted('operation', operations)];
}

function elementFindings(receipt: Receipt, evidence: ReceiptEvidence): readonly ReceiptFinding[] {
  const format = formatOf(receipt.format);
  const input = readMended(receipt.format, evidence.input, READ_LIMITS);
  const output = format.read(evidence.output, READ_LIMITS);
  if (input.kind !== 'window' || output.kind !== 'window') {
    return [{ check: 'element', message: 'A window cannot be read in the format that the receipt names' }];
  }
  const findings: ReceiptFinding[] = [];
  if (input.window.parts.length !== receipt.elements.length) {
    const message = `The input has ${input.window.parts.length} elements, the receipt ${receipt.elements.length}`;
    findings.push({ check: 'element', message });
  }
  const standing = new Map<string, number>();
  for (const part of output.window.parts) {
    const digest = elementDigest(part);
    standing.set(digest, (standing.get(digest) ?? 0) + 1);
  }
  receipt.elements.forEach((element, index) => {
    const part = input.window.parts[index];
    if (part === undefined) return;
    if (elementDigest(part) !== element.digest) {
      findings.push({ check: 'element', message: `${element.element_id} is not what the receipt says it was` });
    }
    if (element.operation !== 'keep' || element.rule === 'rendered_block') return;
    const left = standing.get(element.digest) ?? 0;
    standing.set(element.digest, left - 1);
    if (left <= 0) findings.push({ check: 'element', message: `${element.element_id} was kept, but does not stand` });
  });
  return findings;
}
