import type { StoredRecord } from '../ports';

/** True for a record that windows have to carry: nothing replaced it, and its owner did not let it go. */
export function isLive({ supersededBy, released }: StoredRecord): boolean {
  return supersededBy === undefined && released !== true;
}
