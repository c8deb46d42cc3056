/** The platform cannot start or go on: the message says why and what to do, in sentences; nothing else is printed. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** Error code of the operating system, as `ENOSPC`; empty when there is none. */
export function systemCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Turns a failed file operation below `folder` into a StartError. */
export function fileError(folder: string, error: unknown): StartError {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`The disk of ${folder} is full. Free some space, or name a folder elsewhere with --data.`, {
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
      return new StartError(
        `No permission to use ${folder}. Run as the user that owns it, or name another folder with --data.`,
        { cause: error },
      );
    case 'EROFS':
      return new StartError(`${folder} is on a read-only file system. Name another folder with --data.`, {
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(`${folder} cannot be made: a file stands in its place. Name another folder with --data.`, {
        cause: error,
      });
    default:
      return new StartError(`Cannot use ${folder}: ${error instanceof Error ? error.message : String(error)}.`, {
        cause: error,
      });
  }
}
