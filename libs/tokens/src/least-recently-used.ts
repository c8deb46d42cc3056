/** A map of at most `capacity` entries; the one that was not read or written for longest leaves first. */
export class LeastRecentlyUsed<Value> {
  readonly #entries = new Map<string, Value>();

  constructor(readonly capacity: number) {}

  get size(): number {
    return this.#entries.size;
  }

  find(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  put(key: string, value: Value): void {
    if (this.capacity <= 0) return;
    this.#entries.delete(key);
    if (this.#entries.size >= this.capacity) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, value);
  }
}
