import { HoldfastError } from '@holdfast/core';

export type PersistenceErrorCode =
  | 'STORE_UNAVAILABLE'
  | 'STORE_CONFLICT'
  | 'STORE_READ_ONLY'
  | 'FENCED'
  | 'ORIGINAL_MISSING'
  | 'ORIGINAL_CORRUPT'
  | 'ORIGINAL_ERASED'
  | 'CONTENT_KEY_MISSING'
  | 'CHANNEL_UNREADABLE'
  | 'TENANT_ID_INVALID'
  | 'MIGRATIONS_NOT_FOUND'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_INCOMPLETE'
  | 'MIGRATION_FAILED';

const REMEDIES: Readonly<Record<PersistenceErrorCode, string>> = {
  STORE_UNAVAILABLE: 'Try again: the database did not answer, or gave up a transaction in favour of another.',
  STORE_CONFLICT: 'Something else stands under this key already; look at it before anything is sent again.',
  STORE_READ_ONLY: 'Name the pass: everything that is secured belongs to one.',
  FENCED: 'Stop and write nothing more: another process holds the session now.',
  ORIGINAL_MISSING: 'Nothing was archived under this digest for this tenant.',
  ORIGINAL_CORRUPT: 'Restore the archive from a backup: stored bytes are not what their digest says.',
  ORIGINAL_ERASED:
    'Nothing brings it back: it was removed by retention or by an erasure; only its digest and size are kept.',
  CONTENT_KEY_MISSING:
    'Put the key that is named back into ENCRYPTION_KEYS (or the file of it): what it wraps cannot be read without it.',
  CHANNEL_UNREADABLE: 'Enter the secrets of the channel again, or delete it: what is stored cannot be read.',
  TENANT_ID_INVALID: 'Name a tenant by its UUID.',
  MIGRATIONS_NOT_FOUND: 'Ship the folder prisma/migrations with the build, or say where it is.',
  MIGRATION_CHANGED: 'Undo the edit of the migration and write a new one: what was applied stays as it was.',
  MIGRATION_INCOMPLETE: 'Mend the database and mark the migration with `prisma migrate resolve`.',
  MIGRATION_FAILED: 'Nothing of this migration was applied; mend its cause and start again.',
};

/** Thrown by this library; `retryable` only for STORE_UNAVAILABLE. */
export class PersistenceError extends HoldfastError {
  constructor(code: PersistenceErrorCode, message: string, cause?: unknown) {
    super(code, message, REMEDIES[code], code === 'STORE_UNAVAILABLE');
    if (cause !== undefined) this.cause = cause;
  }
}
