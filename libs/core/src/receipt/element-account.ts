import type { Classified } from '../classify/classified';
import type { ReceiptElement } from './receipt';

/** What an element is and why, on the wire: the part of its receipt that is known before anything is done to it. */
export type ElementAccount = Pick<
  ReceiptElement,
  'element_id' | 'path' | 'kind' | 'role' | 'class' | 'view' | 'rule' | 'evidence' | 'conflict'
>;

export function elementAccount(classified: Classified): ElementAccount {
  const { element, view, rule, evidence, conflict } = classified;
  return {
    element_id: element.id,
    path: element.path,
    kind: element.kind,
    role: element.role,
    class: classified.class,
    view,
    rule,
    evidence,
    ...(conflict === undefined ? {} : { conflict }),
  };
}

/** How often each term occurs; every term is there, those that do not occur as zero. */
export function countTerms<Term extends string>(
  terms: readonly Term[],
  values: readonly Term[],
): Readonly<Record<Term, number>> {
  const counts = Object.fromEntries(terms.map((term) => [term, 0])) as Record<Term, number>;
  for (const value of values) counts[value] += 1;
  return counts;
}
