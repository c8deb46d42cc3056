import type { Terminal } from './terminal';

/** Where to go on, with a request that can be pasted as it stands. */
export function printNextSteps(
  terminal: Terminal,
  facts: { readonly apiUrl: string; readonly apiKey: string; readonly dataFolder: string },
): void {
  const { style } = terminal;
  const { apiUrl, apiKey } = facts;
  const line = (name: string, value: string): void => terminal.print(`  ${name.padEnd(10)} ${value}`);
  terminal.print();
  terminal.print(style.dim('='.repeat(100)));
  terminal.print(style.bold('Holdfast is running'));
  line('API', apiUrl);
  line('docs', `${apiUrl}/docs`);
  line('key', apiKey);
  line('data', `${facts.dataFolder} (kept between runs; logs in its folder logs)`);
  terminal.print();
  terminal.print(style.bold('Your own messages'));
  terminal.print(curlExample(apiUrl, apiKey));
  terminal.print(
    style.dim(
      '  These few tokens fit and come back as they are: put your own list into "window", and a budget below its size.',
    ),
  );
  terminal.print();
  terminal.print(style.bold('Your own transcript'));
  terminal.print(
    '  npm start -- --file session.jsonl        (in another terminal: npx holdfast compact session.jsonl)',
  );
  terminal.print();
  terminal.print(style.dim('Ctrl-C stops everything. Logs follow.'));
}

/** A request with messages in the format of OpenAI's chat API; the agent is one of the demonstration's. */
export function curlExample(apiUrl: string, apiKey: string): string {
  return [
    `  curl -s '${apiUrl}/v1/compactions?include=window' \\`,
    `    -H 'authorization: Bearer ${apiKey}' \\`,
    `    -H 'content-type: application/json' -H 'prefer: wait=30' \\`,
    `    -d '{"agent": "my-agent", "session": "first", "budget_tokens": 4000, "window": [`,
    `          {"role": "system", "content": "You help with deployments."},`,
    `          {"role": "user", "content": "Deploy to staging, not prod."}]}'`,
  ].join('\n');
}
