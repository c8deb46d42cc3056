import type { FormatName } from '../terms';
import { formatOf } from './index';
import type { ReadAnswer, ReadLimits } from './window-format';

/** Reads a window as a pass works on it: mended where the API would reject its shape. */
export function readMended(name: FormatName, source: string, limits: ReadLimits): ReadAnswer {
  const format = formatOf(name);
  const answer = format.read(source, limits);
  if (answer.kind !== 'window') return answer;
  const mended = format.mended(answer.window);
  return mended === source ? answer : format.read(mended, limits);
}
