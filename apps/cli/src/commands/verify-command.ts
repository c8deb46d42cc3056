import { FORMAT_NAMES, type Receipt, readTranscript, sha256Hex, verifyReceipt } from '@holdfast/core';
import { CliError } from '../cli-error';
import { readJsonFile, readTextFile } from '../inputs/text-file';
import type { Command } from './command';
import { onlyArgument, parseCommandLine } from './options';

const HELP = `holdfast verify RECEIPT --input FILE --output FILE [--previous RECEIPT]

Checks a receipt offline against the window that went in and the one that came out: its hash, the digests of both
windows, that every element is accounted for exactly once, and that every kept element stands in the output.
It proves the windows, not that the store still holds the originals.

  --input FILE       the window that was sent, or the transcript that it was read from
  --output FILE      the window that came out
  --previous FILE    the receipt before it in the session, to check the chain

Exit code: 0 it holds, 1 it does not (every finding is printed), 2 wrong command line.`;

const OPTIONS = {
  input: { type: 'string' },
  output: { type: 'string' },
  previous: { type: 'string' },
} as const;

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'check a receipt offline against its two windows',
  help: HELP,
  run(args, terminal) {
    const { values, positionals } = parseCommandLine('verify', args, OPTIONS);
    const path = onlyArgument('verify', 'receipt', positionals);
    if (values.input === undefined || values.output === undefined) {
      throw new CliError('verify needs --input and --output: the window before and after the pass.', 2);
    }
    const receipt = loadReceipt(path);
    const input = inputOf(readTextFile(values.input), receipt);
    const output = readTextFile(values.output);
    const previous = values.previous === undefined ? {} : { previous: loadReceipt(values.previous) };
    const findings = verifyReceipt(receipt, { input, output, ...previous });
    const pass = `pass ${receipt.pass} of session ${receipt.session_id}`;
    if (findings.length === 0) {
      terminal.print(`The receipt holds: ${pass}, ${receipt.elements.length} elements, hash ${receipt.hash}`);
      return Promise.resolve(0);
    }
    terminal.print(`The receipt does not hold (${pass}):`);
    for (const { check, message } of findings) terminal.print(`  ${check}: ${message}`);
    return Promise.resolve(1);
  },
};

/** A transcript was converted before the pass: then the receipt speaks of the window read from it. */
function inputOf(text: string, receipt: Receipt): string {
  if (sha256Hex(text) === receipt.input_sha256) return text;
  const answer = readTranscript(text);
  if (answer.kind === 'transcript' && sha256Hex(answer.transcript.source) === receipt.input_sha256) {
    return answer.transcript.source;
  }
  return text;
}

function loadReceipt(path: string): Receipt {
  const value = readJsonFile(path);
  if (!isReceipt(value)) throw new CliError(`${path} is no receipt of version 1.`);
  return value;
}

/** What verifying reads; the hash covers the rest. */
function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null) return false;
  const receipt = value as Partial<Record<keyof Receipt, unknown>>;
  const tokens = receipt.tokens as { before?: unknown; after?: unknown } | null | undefined;
  return (
    receipt.version === 1 &&
    typeof receipt.hash === 'string' &&
    typeof receipt.input_sha256 === 'string' &&
    typeof receipt.output_sha256 === 'string' &&
    FORMAT_NAMES.some((name) => name === receipt.format) &&
    typeof tokens?.before === 'number' &&
    typeof tokens.after === 'number' &&
    Array.isArray(receipt.elements) &&
    receipt.elements.every((element: unknown) => typeof element === 'object' && element !== null)
  );
}
