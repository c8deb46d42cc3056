import './jest-global-setup';

/** Stops what `jest-global-setup` started. */
export default async function stopServers(): Promise<void> {
  await globalThis.holdfastTestPostgres?.destroy();
  globalThis.holdfastTestPostgres = undefined;
}
