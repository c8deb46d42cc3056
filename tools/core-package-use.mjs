/**
 * What a first user does with the packed core: compacts an agent's window with a long tool result in it, checks the proof,
 * and reads what came out. Runs in an empty folder, once imported and once required, and must print the same both times. It
 * is copied there as text, so it uses its arguments only.
 */
export async function useCore(core, testing) {
  const expect = (isTrue, sentence) => {
    if (!isTrue) throw new Error(sentence);
  };
  const names = Object.keys(core).filter((name) => !['default', 'module.exports', '__esModule'].includes(name));
  expect(names.length > 0, 'named exports are visible to import');

  const lines = Array.from({ length: 400 }, (_, line) => `row ${line}: nothing of note`).join('\n');
  const call = (id, path) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: `${path}\n${lines}` },
    { role: 'assistant', content: `I read ${path}.` },
  ];
  const window = [
    { role: 'system', content: 'Never touch the billing service.' },
    { role: 'user', content: 'Find out why the import is slow.' },
    ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => call(`call_${name}`, `src/${name}.ts`)),
    { role: 'user', content: 'And now?' },
  ];
  const source = JSON.stringify({ messages: window });
  const outcome = await core.compact(
    {
      format: 'openai-chat',
      source,
      mode: 'enforce',
      recall: 'tool',
      contracts: { read_file: { effect: 'read' } },
      policy: { ...core.DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens: 8_000,
      sealKey: 'a key for this check only',
    },
    { store: new testing.MemorySessionStore('session'), counter: new testing.CharacterCounter() },
  );
  expect(outcome.outcome === 'compacted', `compacts: ${JSON.stringify(outcome).slice(0, 500)}`);
  const { proven, tokensBefore } = outcome;
  expect(proven.tokensAfter < tokensBefore / 2, 'half of the tokens leave');
  for (const text of ['Never touch the billing service.', 'Find out why the import is slow.', 'And now?']) {
    expect(proven.window.includes(text), `"${text}" stays`);
  }
  const findings = core.verifyReceipt(proven.receipt, { input: source, output: proven.window });
  expect(findings.length === 0, `the receipt holds: ${JSON.stringify(findings)}`);
  console.log(`${tokensBefore} tokens become ${proven.tokensAfter}, ${names.length} exports`);
}
