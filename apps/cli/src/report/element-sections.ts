import { ELEMENT_CLASSES, OPERATIONS, type Receipt, type ReceiptElement } from '@holdfast/core';
import type { Style } from './style';
import { grouped, oneLine, textTable } from './text-table';

/** What a class means, for somebody who reads the word for the first time. */
const CLASS_WORDS = {
  reclaim: 'can be had again, or nobody needs it',
  pin_effect: 'a call with an effect: stays, or is pinned',
  externalize: 'exists only here: kept and stored',
  ambiguous: 'cannot be told',
} as const;

const RULES_SHOWN = 6;
const LOSSES_SHOWN = 8;

function sum(elements: readonly ReceiptElement[], tokens: 'tokens_before' | 'tokens_after'): number {
  return elements.reduce((total, element) => total + element[tokens], 0);
}

/** Operations by class, with the tokens of each class before and after. */
export function operationLines(receipt: Receipt): string[] {
  const rows = ELEMENT_CLASSES.flatMap((name) => {
    const elements = receipt.elements.filter((element) => element.class === name);
    if (elements.length === 0) return [];
    const counts = OPERATIONS.map((operation) => elements.filter((element) => element.operation === operation).length);
    return [
      [
        name,
        ...counts.map((count) => (count === 0 ? '.' : String(count))),
        `${grouped(sum(elements, 'tokens_before'))} -> ${grouped(sum(elements, 'tokens_after'))}`,
        CLASS_WORDS[name],
      ],
    ];
  });
  return textTable(
    [
      { title: 'class', align: 'left' },
      ...OPERATIONS.map((operation) => ({ title: operation, align: 'right' as const })),
      { title: 'tokens', align: 'right' },
      { title: '', align: 'left' },
    ],
    rows,
  );
}

/** The rules that kept most tokens, each with an example of its evidence. */
export function keptLines(receipt: Receipt): string[] {
  const byRule = new Map<string, ReceiptElement[]>();
  for (const element of receipt.elements) {
    if (element.operation !== 'keep') continue;
    byRule.set(element.rule, [...(byRule.get(element.rule) ?? []), element]);
  }
  const rules = [...byRule].sort(([, a], [, b]) => sum(b, 'tokens_after') - sum(a, 'tokens_after'));
  const rows = rules
    .slice(0, RULES_SHOWN)
    .map(([rule, elements]) => [
      rule,
      String(elements.length),
      grouped(sum(elements, 'tokens_after')),
      oneLine(elements[0]?.evidence ?? '', 84),
    ]);
  const lines = textTable(
    [
      { title: 'rule', align: 'left' },
      { title: 'elements', align: 'right' },
      { title: 'tokens', align: 'right' },
      { title: 'evidence of the first', align: 'left' },
    ],
    rows,
  );
  return rules.length > RULES_SHOWN ? [...lines, `and ${rules.length - RULES_SHOWN} more rules`] : lines;
}

/** The largest losses, each with the mark that brings it back. */
export function lossLines(receipt: Receipt, style: Style): string[] {
  const losses = receipt.elements
    .filter((element) => element.operation !== 'keep')
    .sort((a, b) => b.tokens_before - b.tokens_after - (a.tokens_before - a.tokens_after));
  if (losses.length === 0) return ['nothing'];
  const rows = losses
    .slice(0, LOSSES_SHOWN)
    .map((element) => [
      element.element_id,
      element.operation,
      `${grouped(element.tokens_before)} -> ${grouped(element.tokens_after)}`,
      element.handle ?? element.segment ?? '-',
      oneLine(element.evidence, 70),
    ]);
  const lines = textTable(
    [
      { title: 'element', align: 'left' },
      { title: 'operation', align: 'left' },
      { title: 'tokens', align: 'right' },
      { title: 'way back', align: 'left' },
      { title: 'why it may', align: 'left' },
    ],
    rows,
  );
  return losses.length > LOSSES_SHOWN
    ? [...lines, style.dim(`and ${losses.length - LOSSES_SHOWN} smaller ones; the receipt lists all`)]
    : lines;
}
