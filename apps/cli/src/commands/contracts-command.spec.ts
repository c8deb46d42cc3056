import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor } from '../report/style';
import { runCli } from '../run-cli';

const CODING = join(__dirname, '..', '..', '..', '..', 'fixtures', 'transcripts', 'claude-code-pull-request.jsonl');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-contracts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function holdfast(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    print: (line) => out.push(line),
    printError: (line) => err.push(line),
    style: styleFor({ isTTY: false }, {}),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const TOOLS = {
  tools: [
    { name: 'cancel_order', inputSchema: { properties: { order_id: {} }, required: ['order_id'] } },
    { name: 'get_order', inputSchema: { properties: { order_id: {} } }, annotations: { readOnlyHint: true } },
  ],
};

it('import makes drafts that compact takes', async () => {
  const out = join(folder, 'drafts.json');
  const { code, out: said } = await holdfast('contracts', 'import', file('tools.json', TOOLS), '--out', out);
  expect(code).toBe(0);
  expect(said).toContain('get_order: unproven');
  expect(said).toContain('a claim, not a proof');
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
    cancel_order: { effect: 'unproven', target: ['$.order_id'] },
    get_order: { effect: 'unproven', target: ['$.order_id'] },
  });
  expect((await holdfast('compact', CODING, '--contracts', out)).code).toBe(0);
});

it('import says when a file defines no tools', async () => {
  const { code, err } = await holdfast('contracts', 'import', file('none.json', { messages: [] }));
  expect(code).toBe(1);
  expect(err).toContain('defines no tools');
});

it('suggest shows proposals with their evidence, and the pack that the tools look like', async () => {
  const { code, out } = await holdfast('contracts', 'suggest', CODING);
  expect(code).toBe(0);
  expect(out).toContain('Bash: exec (high)');
  expect(out).toContain('because');
  expect(out).toContain('confirm with --pack claude-code');
  const json = await holdfast('contracts', 'suggest', CODING, '--tools', file('tools.json', TOOLS), '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    proposals: expect.arrayContaining([expect.objectContaining({ tool: 'get_order', calls: 0 })]),
  });
});

it('lint names what is wrong and fails on errors alone', async () => {
  const contracts = file('contracts.json', { cancel_order: { effect: 'write', key: ['$.orderid'] } });
  const warned = await holdfast('contracts', 'lint', contracts, '--tools', file('tools.json', TOOLS));
  expect(warned.code).toBe(0);
  expect(warned.out).toContain('warning PATH_MATCHES_NOTHING /cancel_order/key/0: no argument "orderid"');
  const wrong = await holdfast('contracts', 'lint', file('wrong.json', { a: { effect: 'reed' } }), '--json');
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject({ findings: [{ code: 'EFFECT_UNKNOWN', path: '/a/effect' }] });
});

it('packs are listed, printed with a prefix, and used where they are named', async () => {
  expect((await holdfast('contracts', 'packs')).out).toContain('claude-code');
  const printed = await holdfast('contracts', 'packs', 'mcp-fetch', '--prefix', 'mcp__web__');
  expect(JSON.parse(printed.out)).toEqual({ mcp__web__fetch: { effect: 'read', volatile: true } });
  const bare = await holdfast('compact', CODING, '--json');
  const packed = await holdfast('compact', CODING, '--pack', 'claude-code', '--json');
  const kindsOf = (text: string): string[] =>
    (JSON.parse(text) as { effects: { kind: string }[] }).effects.map((e) => e.kind);
  expect(new Set(kindsOf(bare.out))).toEqual(new Set(['unproven']));
  expect(kindsOf(packed.out)).not.toContain('unproven');
});

it('says which word was meant', async () => {
  expect(await holdfast('contracts', 'lnt')).toMatchObject({ code: 2, err: expect.stringContaining('"lint"') });
  expect(await holdfast('compact', CODING, '--pack', 'claude-cod')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"claude-code"'),
  });
});

it('a contract of a tool named like a property of every object is not lost', async () => {
  const contracts = file('proto.json', '{"__proto__":{"effect":"reed"}}');
  const { code, err } = await holdfast('compact', CODING, '--contracts', contracts);
  expect(code).toBe(1);
  expect(err).toContain('/__proto__/effect');
});
