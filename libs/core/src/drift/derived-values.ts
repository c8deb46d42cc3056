import { isSameAmount, type Quantity } from './quantity';

/** Operands are combined up to this many. */
const MAX_OPERANDS = 40;
const MAX_POOL = 120;

/**
 * Whether an amount follows from others: a sum or difference of two, a sum of neighbours, a product, a quotient or a
 * share in per cent.
 */
export function followsFrom(target: Quantity, operands: readonly Quantity[]): boolean {
  if (isSumOfAlike(Math.abs(target.amount), operands)) return true;
  const amounts = distinctAmounts(operands, MAX_OPERANDS, target);
  const own = Math.abs(target.amount);
  const isShare = target.unit?.dimension === 'share';
  if (isShare && operands.some((one) => one.unit?.dimension === 'share' && isSameAmount(own, 100 - one.amount)))
    return true;
  // A measure is no product or quotient of two others of its kind.
  const isPlain = target.unit === undefined || target.unitText === '$';
  for (const left of amounts) {
    for (const right of amounts) {
      if (left === right) {
        if (isSameAmount(own, left * 2)) return true;
        continue;
      }
      if (isSameAmount(own, left + right) || isSameAmount(own, left - right)) return true;
      if (isPlain && isSameAmount(own, left * right)) return true;
      if (right === 0) continue;
      if (isPlain && isShown(target, left / right) && own >= 2) return true;
      if (isShare && (isShown(target, (100 * left) / right) || isShown(target, (100 * (left - right)) / right))) {
        return true;
      }
    }
  }
  return isSumOfRun(own, operands.slice(0, MAX_POOL)) || isMultiple(own, amounts);
}

/** Whether an amount is a sum or a difference of two values of the sources in the same unit. */
export function followsFromSources(target: Quantity, sources: readonly Quantity[]): boolean {
  const amounts = distinctAmounts(sources, MAX_POOL, target);
  const own = Math.abs(target.amount);
  const known = new Set(amounts.map((amount) => amount.toPrecision(10)));
  return amounts.some(
    (amount) =>
      amount !== own &&
      amount > 0 &&
      (known.has((own + amount).toPrecision(10)) || known.has(Math.abs(own - amount).toPrecision(10))),
  );
}

/** Characters between two numbers of one list. */
const LIST_GAP = 28;
const LONGEST_LIST = 5;

/** Whether an amount is the sum of numbers that stand side by side in the sources: `127 passed; 2 failed; 1 ignored`. */
export function isSumOfNeighbours({ amount }: Quantity, sources: readonly Quantity[]): boolean {
  for (const [from, first] of sources.entries()) {
    let sum = first.amount;
    for (let to = from + 1; to < Math.min(sources.length, from + LONGEST_LIST); to++) {
      const [last, next] = [sources[to - 1], sources[to]];
      if (last === undefined || next === undefined || next.start - last.end > LIST_GAP) break;
      sum += next.amount;
      if (isSameAmount(sum, amount) && next.amount !== 0) return true;
    }
  }
  return false;
}

/** Amounts in the target's own unit where they measure the same. */
function distinctAmounts(quantities: readonly Quantity[], limit: number, { unit }: Quantity): readonly number[] {
  const amounts = new Set<number>();
  for (const { amount, unit: other } of quantities) {
    if (amounts.size >= limit) break;
    const isAlike = unit !== undefined && other?.dimension === unit.dimension;
    amounts.add(Math.abs(isAlike ? (amount * other.factor) / unit.factor : amount));
  }
  return [...amounts];
}

function isShown(target: Quantity, exact: number): boolean {
  return Math.abs(Math.abs(target.amount) - exact) <= 0.5 * 10 ** -target.decimals + 1e-9;
}

function isSumOfRun(own: number, operands: readonly Quantity[]): boolean {
  const amounts = operands.map(({ amount }) => Math.abs(amount));
  for (let from = 0; from < amounts.length; from++) {
    let sum = amounts[from] ?? 0;
    for (let to = from + 1; to < Math.min(amounts.length, from + 25); to++) {
      sum += amounts[to] ?? 0;
      if (isSameAmount(sum, own)) return true;
    }
  }
  return false;
}

/** A sum of all that stand behind the same word: `refund of 6594 ... refund of 3925`. */
function isSumOfAlike(own: number, operands: readonly Quantity[]): boolean {
  const sums = new Map<string, number>();
  for (const { label, amount } of operands) sums.set(label, (sums.get(label) ?? 0) + Math.abs(amount));
  return [...sums.values()].some((sum) => isSameAmount(sum, own));
}

/** A price times a small count. */
function isMultiple(own: number, amounts: readonly number[]): boolean {
  return amounts.some((amount) => {
    const times = own / amount;
    return amount >= 10 && times >= 2 && times <= 12 && Number.isInteger(times);
  });
}
