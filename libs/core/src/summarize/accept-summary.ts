import type { SummaryAnswer, SummaryRequest } from '../ports';

/** What became of a summarizer's answer before it is unsealed. */
export type SummaryVerdict =
  | { readonly kind: 'accepted'; readonly text: string }
  /** `reason` names everything that is wrong, for the next try. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** An answer may be this much longer than asked, by the estimate of characters. */
const TOLERATED_EXCESS = 1.25;
const TOLERATED_CHARACTERS = 200;
const CHARACTERS_PER_TOKEN = 4;
const PLACEHOLDER = /[⟦⟪⦃⧼][^⟦⟪⦃⧼⟧⟫⦄⧽]{0,40}[⟧⟫⦄⧽]/g;
const REASONING_TAG = /<\/?(?:think|thinking|reasoning|analysis|scratchpad)>/i;
const TOOL_CALL =
  /<\/?(?:tool_call|function_call|tool_use|invoke)\b|^\s*\{\s*"(?:name|tool|function|tool_calls|error)"\s*:/i;
const ERROR_TEXT =
  /^\s*(?:error\b|internal server error|rate limit|\{"error|i(?:'m| am) (?:sorry|unable)|sorry,|i can(?:no|')t (?:help|assist|summari)|as an ai\b|please provide|there is (?:no|nothing))/i;
const OWN_FRAME = /<\/?holdfast\b|\[recall h_/i;
const INSTRUCTION = /^\s*(?:here(?:'s| is) (?:a|the|your) (?:short |brief )?summary|summary:)/i;

/**
 * Judges an answer against its request: rejects empty answers, answers without words, longer than the source or than
 * asked, of reasoning or tool calls only, error texts, frames of Holdfast's own, and placeholders that the source does
 * not hold. Whether values drifted is the next check, on the unsealed text.
 */
export function acceptSummary(request: SummaryRequest, answer: SummaryAnswer): SummaryVerdict {
  if (answer.kind === 'rejected') return { kind: 'rejected', reason: answer.reason };
  const text = answer.text.trim();
  if (text === '') return { kind: 'rejected', reason: 'the answer is empty' };
  const source = request.elements.map((element) => element.text).join('\n');
  const reasons = [
    ...shapeFaults(text, source),
    ...lengthFaults(text, source, request.maxTokens),
    ...placeholderFaults(text, source),
  ];
  return reasons.length === 0 ? { kind: 'accepted', text } : { kind: 'rejected', reason: reasons.join('; ') };
}

function shapeFaults(text: string, source: string): readonly string[] {
  const faults: string[] = [];
  if (!/\p{L}/u.test(text)) faults.push('the answer has no words');
  const rules = [
    [REASONING_TAG, 'the answer is a chain of thought'],
    [TOOL_CALL, 'the answer calls a tool'],
    [ERROR_TEXT, 'the answer is an error text or asks for the source'],
    [OWN_FRAME, 'the answer imitates a mark of Holdfast'],
    [INSTRUCTION, 'the answer talks about itself'],
  ] as const;
  for (const [pattern, fault] of rules) {
    const match = pattern.exec(text)?.[0];
    if (match !== undefined && !source.includes(match)) faults.push(fault);
  }
  return faults;
}

function lengthFaults(text: string, source: string, maxTokens: number): readonly string[] {
  if (text.length > source.length) return ['the answer is longer than its source'];
  const limit = maxTokens * CHARACTERS_PER_TOKEN * TOLERATED_EXCESS + TOLERATED_CHARACTERS;
  return text.length > limit ? [`the answer is longer than ${String(maxTokens)} tokens`] : [];
}

function placeholderFaults(text: string, source: string): readonly string[] {
  const invented = new Set<string>();
  for (const [placeholder] of text.matchAll(PLACEHOLDER)) if (!source.includes(placeholder)) invented.add(placeholder);
  return [...invented].slice(0, 5).map((placeholder) => `${placeholder} is no placeholder of the source`);
}
