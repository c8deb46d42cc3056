import type { Operation } from '../terms';

/** One line of a manifest: an element of a window that was accepted or handed out. */
export interface ManifestEntry {
  readonly id: string;
  readonly digest: string;
  /** Set when the entry is not the element's original content. */
  readonly operation?: Exclude<Operation, 'keep'>;
  readonly handle?: string;
  readonly rendered?: 'block' | 'segment';
}

/** The elements of one window, in order: what the next window of the session is aligned with. */
export interface Manifest {
  readonly pass: number;
  readonly entries: readonly ManifestEntry[];
}
