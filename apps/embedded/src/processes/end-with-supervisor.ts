// Loaded before the entry of each process of the platform: when the supervisor is gone, however that came about, the process
// ends like after a SIGTERM, and in any case.
const GRACE_MS = 10_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Listening alone would keep the process alive.
process.channel?.unref();
