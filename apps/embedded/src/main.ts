import { HELP, parseStartOptions, type StartOptions } from './command-line';
import { saveCredentials } from './credentials';
import { ApiClient } from './demonstration/api-client';
import { checkOwnTranscript, demonstrate } from './demonstration/demonstration';
import { makeApiKey } from './first-key';
import { printNextSteps } from './next-steps';
import { Platform } from './platform';
import { Terminal } from './terminal';

const INTERRUPTED = 130;

/** Runs the platform until it is told to stop, and resolves to the exit code. */
async function run(options: StartOptions, terminal: Terminal): Promise<number> {
  const platform = new Platform(options, terminal);
  const stopping = new AbortController();
  const told = new Promise<'told'>((resolve) => {
    let signals = 0;
    const onSignal = (): void => {
      signals += 1;
      if (signals === 1) {
        terminal.print(`\nStopping API, worker and PostgreSQL; once more to force it.`);
        resolve('told');
        stopping.abort();
        // While starting, too: whatever was started so far ends.
        void platform.stop();
      } else {
        void platform.stop(true).finally(() => process.exit(1));
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });

  const work = serve(platform, options, terminal, stopping.signal);
  const ended = await Promise.race([
    told,
    work.then(
      () => 'done' as const,
      (error: unknown) => ({ error }),
    ),
  ]);
  if (typeof ended === 'object') {
    terminal.fail(ended.error);
    await platform.stop();
    return 1;
  }
  if (ended === 'told') {
    await platform.stop();
    const isReported = await Promise.race([
      work.then(
        () => true,
        () => false,
      ),
      Promise.resolve(false),
    ]);
    return isReported ? 0 : INTERRUPTED;
  }
  const allWell = await work;
  if (!options.once) await told;
  await platform.stop();
  if (options.once) return allWell ? 0 : 1;
  return 0;
}

/** Starts, demonstrates, and tells where to go on; resolves to true when every compaction went well. */
async function serve(
  platform: Platform,
  options: StartOptions,
  terminal: Terminal,
  stopSignal: AbortSignal,
): Promise<boolean> {
  await checkOwnTranscript(options);
  await platform.start();
  const apiKey = await workingKey(platform, stopSignal);
  const api = new ApiClient(platform.apiUrl, apiKey, stopSignal);
  const allWell = await demonstrate(api, options, terminal);
  if (options.once) return allWell;
  // The agent that the example names, with the cautious settings of day one.
  await api.putAgent('my-agent', { mode: 'enforce', recall: 'tool' });
  printNextSteps(terminal, { apiUrl: platform.apiUrl, apiKey, dataFolder: platform.folder.path });
  terminal.showsLogs = true;
  return allWell;
}

/** The kept key, or a new one when there is none or the database does not know it. */
async function workingKey(platform: Platform, stopSignal: AbortSignal): Promise<string> {
  const { apiKey } = platform.credentials;
  if (apiKey !== undefined && (await new ApiClient(platform.apiUrl, apiKey, stopSignal).knowsKey())) return apiKey;
  const made = await makeApiKey(platform.runtimeEnvironment);
  saveCredentials(platform.folder, { ...platform.credentials, apiKey: made });
  return made;
}

async function main(): Promise<void> {
  const isVerbose = process.argv.includes('--verbose');
  const terminal = new Terminal(isVerbose);
  try {
    // npm changes into the root of the repository; paths are meant from where the user stands.
    const options = parseStartOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd());
    if (options === undefined) {
      terminal.print(HELP);
      return;
    }
    process.exitCode = await run(options, terminal);
  } catch (error) {
    terminal.fail(error);
    process.exitCode = 1;
  }
}

void main();
