import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TokenCounter } from '@holdfast/core';
import { CountingThreads, type PartCount, type SpawnThread } from './counting-threads';
import { LeastRecentlyUsed } from './least-recently-used';
import { countingOfModel, type Encoding } from './model-encoding';
import { cutIntoParts } from './text-parts';

/** UTF-16 units handed to a thread at once: some 30 ms of counting, so that threads share one large window. */
const JOB_UNITS = 256 * 1024;
/** UTF-16 units that are digested and cut between two turns of the event loop: under 10 ms. */
const TURN_UNITS = 2 * 1024 * 1024;
/** Texts up to this length are their own cache key; longer ones are known by sha256. */
const LITERAL_KEY_UNITS = 64;

export interface TokenCounterPoolOptions {
  /** Threads to count on, started when first needed; default: one less than the processors, 1 to 4. About 60 MB each. */
  readonly threads?: number;
  /** Counts kept, least recently used out first; default 50,000 (about 10 MB). 0 keeps none. */
  readonly cacheEntries?: number;
}

export interface TokenCounterPoolStatistics {
  /** Texts asked for, over all counters of the pool. */
  readonly texts: number;
  /** Of these: answered from the cache, or by a count that was already under way. */
  readonly remembered: number;
  /** Parts counted by thread id (`threadId` of node:worker_threads); the caller's thread is never among them. */
  readonly partsByThread: ReadonlyMap<number, number>;
}

/** Token counters for any model over one set of threads and one cache. */
export interface TokenCounterPool {
  /**
   * The counter for a model id as providers, Azure, Bedrock or routers spell it; see {@link countingOfModel}.
   * Its `count` rejects with {@link TokenCounterError} only. The empty text has 0 tokens.
   */
  counterFor(model: string | undefined): TokenCounter;
  statistics(): TokenCounterPoolStatistics;
  /** Ends the threads. Counts under way and later ones reject with `TOKEN_COUNTER_FAILED`. */
  close(): Promise<void>;
}

/**
 * Makes a pool. All counting happens in worker threads; the caller's thread only digests and cuts, in bounded turns.
 * Equal texts are counted once, whether they come in one batch, in two at the same time, or later.
 */
export function createTokenCounterPool(options: TokenCounterPoolOptions = {}): TokenCounterPool {
  return createTokenCounterPoolOn(undefined, options);
}

/** {@link createTokenCounterPool} with the start of a thread in the caller's hands; not part of the package's entry. */
export function createTokenCounterPoolOn(
  spawn: SpawnThread | undefined,
  options: TokenCounterPoolOptions = {},
): TokenCounterPool {
  const threads = new CountingThreads(options.threads ?? defaultThreads(), spawn);
  const counts = new CountedTexts(threads, options.cacheEntries ?? 50_000);
  return {
    counterFor: (model) => {
      const { encoding, factor, name } = countingOfModel(model);
      return {
        name,
        exact: factor === 1,
        count: async (texts) => {
          const found = await counts.count(encoding, texts);
          return found.map(({ tokens, allowanceHundredths }) =>
            factor === 1 ? tokens : Math.ceil(tokens * factor + allowanceHundredths / 100),
          );
        },
      };
    },
    statistics: () => ({ ...counts.statistics, partsByThread: new Map(threads.partsByThread) }),
    close: () => threads.close(),
  };
}

function defaultThreads(): number {
  return Math.min(4, Math.max(1, availableParallelism() - 1));
}

/** A text being counted: its parts come back from several jobs. */
interface Counting {
  tokens: number;
  allowanceHundredths: number;
  partsLeft: number;
  readonly resolve: (count: PartCount) => void;
  readonly reject: (error: unknown) => void;
}

const NOTHING: PartCount = { tokens: 0, allowanceHundredths: 0 };

interface Batch {
  units: number;
  parts: string[];
  owners: Counting[];
}

class CountedTexts {
  readonly #threads: CountingThreads;
  readonly #known: LeastRecentlyUsed<PartCount>;
  readonly #underWay = new Map<string, Promise<PartCount>>();
  #texts = 0;
  #remembered = 0;

  constructor(threads: CountingThreads, cacheEntries: number) {
    this.#threads = threads;
    this.#known = new LeastRecentlyUsed(cacheEntries);
  }

  get statistics(): { readonly texts: number; readonly remembered: number } {
    return { texts: this.#texts, remembered: this.#remembered };
  }

  async count(encoding: Encoding, texts: readonly string[]): Promise<readonly PartCount[]> {
    const answers: Promise<PartCount>[] = [];
    let batch = emptyBatch();
    let turnUnits = 0;
    for (const text of texts) {
      turnUnits += text.length;
      if (turnUnits > TURN_UNITS) {
        turnUnits = text.length;
        this.#send(encoding, batch);
        batch = emptyBatch();
        await nextTurn();
      }
      batch = this.#take(encoding, text, batch, answers);
    }
    this.#send(encoding, batch);
    return Promise.all(answers);
  }

  #take(encoding: Encoding, text: string, batch: Batch, answers: Promise<PartCount>[]): Batch {
    this.#texts++;
    if (text === '') {
      answers.push(Promise.resolve(NOTHING));
      return batch;
    }
    const key = keyOf(encoding, text);
    const counted = this.#known.find(key);
    const known = counted === undefined ? this.#underWay.get(key) : Promise.resolve(counted);
    if (known !== undefined) {
      this.#remembered++;
      answers.push(known);
      return batch;
    }
    const parts = cutIntoParts(text);
    const answer = new Promise<PartCount>((resolve, reject) => {
      const counting: Counting = { ...NOTHING, partsLeft: parts.length, resolve, reject };
      for (const part of parts) {
        if (batch.units > 0 && batch.units + part.length > JOB_UNITS) {
          this.#send(encoding, batch);
          batch = emptyBatch();
        }
        batch.units += part.length;
        batch.parts.push(part);
        batch.owners.push(counting);
      }
    });
    this.#underWay.set(key, answer);
    answer.then(
      (count) => {
        this.#known.put(key, count);
        this.#underWay.delete(key);
      },
      () => this.#underWay.delete(key),
    );
    answers.push(answer);
    return batch;
  }

  #send(encoding: Encoding, batch: Batch): void {
    if (batch.parts.length === 0) return;
    this.#threads.count(encoding, batch.parts).then(
      (counts) => {
        batch.owners.forEach((counting, index) => {
          const { tokens, allowanceHundredths } = counts[index] ?? NOTHING;
          counting.tokens += tokens;
          counting.allowanceHundredths += allowanceHundredths;
          counting.partsLeft--;
          if (counting.partsLeft > 0) return;
          counting.resolve({ tokens: counting.tokens, allowanceHundredths: counting.allowanceHundredths });
        });
      },
      (error: unknown) => {
        for (const counting of batch.owners) counting.reject(error);
      },
    );
  }
}

function emptyBatch(): Batch {
  return { units: 0, parts: [], owners: [] };
}

function keyOf(encoding: Encoding, text: string): string {
  if (text.length <= LITERAL_KEY_UNITS) return `${encoding} ${text}`;
  // UTF-16 as it is: two texts that differ in a lone surrogate only stay two texts.
  return `${encoding}#${createHash('sha256').update(text, 'utf16le').digest('base64')}`;
}
