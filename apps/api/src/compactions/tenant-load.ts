/** Asks the store; resolves to how many passes of a tenant have not finished, up to `limit`. */
export type CountUnfinished = (tenantId: string, limit: number) => Promise<number>;

interface Load {
  /** Passes that had not finished when the store was asked last. */
  unfinished: number;
  sentSince: number;
  askedAtMs: number;
  isAsking: boolean;
}

/** How long an answer of the store is good while a tenant waits for its share. */
const ASK_AGAIN_MS = 500;
const REMEMBERED = 20_000;

/**
 * Whether a tenant has its share of the queue already, by what this process knows: then its next pass is left to the
 * relay, which sends it when there is room. Nobody waits for the store here.
 */
export class TenantLoad {
  private readonly loads = new Map<string, Load>();

  constructor(
    private readonly share: number,
    private readonly count: CountUnfinished,
  ) {}

  /** True, and counted, where one more may be sent. */
  take(tenantId: string, nowMs: number): boolean {
    if (this.loads.size >= REMEMBERED && !this.loads.has(tenantId)) this.loads.clear();
    const load = this.loads.get(tenantId) ?? { unfinished: 0, sentSince: 0, askedAtMs: -ASK_AGAIN_MS, isAsking: false };
    this.loads.set(tenantId, load);
    const isFull = load.unfinished + load.sentSince >= this.share;
    const isWorthAsking = isFull ? nowMs - load.askedAtMs >= ASK_AGAIN_MS : load.sentSince * 4 >= this.share;
    if (isWorthAsking && !load.isAsking) this.ask(tenantId, load, nowMs);
    if (isFull) return false;
    load.sentSince += 1;
    return true;
  }

  private ask(tenantId: string, load: Load, nowMs: number): void {
    load.isAsking = true;
    load.askedAtMs = nowMs;
    this.count(tenantId, this.share)
      .then((unfinished) => {
        load.unfinished = unfinished;
        load.sentSince = 0;
      })
      // A store that is away is told by the requests themselves.
      .catch(() => undefined)
      .finally(() => (load.isAsking = false));
  }
}
