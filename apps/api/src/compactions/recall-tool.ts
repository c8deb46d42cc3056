import { type CompactionResponse, recallToolDefinition } from '@holdfast/contracts';
import type { FormatName } from '@holdfast/core';
import type { TokenCounterPool } from '@holdfast/tokens';

type RecallTool = NonNullable<CompactionResponse['recall_tool']>;

/** Text of the definition as it is counted: the JSON that a request carries. */
export function recallToolText(format: FormatName): string {
  return JSON.stringify(recallToolDefinition(format));
}

/** The recall tool of a format with its tokens by the counter of a model; counted once for each. */
export class RecallTools {
  private readonly counted = new Map<string, Promise<number>>();

  constructor(private readonly counters: Pick<TokenCounterPool, 'counterFor'>) {}

  /** Name of the counter that counts for a model. */
  counterName(model: string | undefined): string {
    return this.counters.counterFor(model).name;
  }

  async toolFor(format: FormatName, model: string | undefined): Promise<RecallTool> {
    const counter = this.counters.counterFor(model);
    const key = `${format} ${counter.name}`;
    let counting = this.counted.get(key);
    if (counting === undefined) {
      counting = counter.count([recallToolText(format)]).then(([tokens = 0]) => tokens);
      counting.catch(() => this.counted.delete(key));
      this.counted.set(key, counting);
    }
    return { definition: { ...recallToolDefinition(format) }, tokens: await counting };
  }
}
