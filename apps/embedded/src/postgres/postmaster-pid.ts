/** What a PostgreSQL server says about itself in the file postmaster.pid of its data folder. */
export interface PostmasterPid {
  readonly pid: number;
  readonly dataFolder: string;
  readonly port: number | undefined;
}

/** Reads postmaster.pid: pid, data folder, start time, port, each on a line. Undefined when it is none. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const [pidLine, dataFolder, , portLine] = text.split('\n').map((line) => line.trim());
  const pid = Number(pidLine);
  if (!Number.isSafeInteger(pid) || pid <= 1 || dataFolder === undefined || dataFolder === '') return undefined;
  const port = Number(portLine);
  return { pid, dataFolder, port: Number.isInteger(port) && port > 0 ? port : undefined };
}
