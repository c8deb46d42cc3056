import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor } from '../report/style';
import { runCli } from '../run-cli';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-evals-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, value: unknown): void {
  const target = join(folder, path);
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, typeof value === 'string' ? value : JSON.stringify(value));
}

async function evaluate(...args: string[]): Promise<{ code: number; out: string; figures: Record<string, unknown> }> {
  const out: string[] = [];
  const code = await runCli(['eval', ...args], {
    print: (line) => out.push(line),
    printError: (line) => out.push(line),
    style: styleFor({ isTTY: false }, {}),
  });
  const last = out.at(-1) ?? '';
  return {
    code,
    out: out.join('\n'),
    figures: last.startsWith('{') ? (JSON.parse(last) as Record<string, unknown>) : {},
  };
}

const FILLER = 'The section on styling can wait; nothing in it changes what was asked. '.repeat(30);

function session(): readonly unknown[] {
  const call = { id: 'c1', type: 'function', function: { name: 'get_order', arguments: '{"order":"W2378156"}' } };
  return [
    { role: 'user', content: 'Look at order W2378156, please.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: JSON.stringify({ order: 'W2378156', item: 'IT-88213', note: FILLER }),
    },
    { role: 'assistant', content: FILLER },
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: FILLER },
    { role: 'user', content: 'Return the item.' },
    { role: 'assistant', content: 'That is done.' },
  ];
}

describe('holdfast eval transcripts', () => {
  it('compacts every file, proves what it hands out and writes it where it is told', async () => {
    write('records/chat/a.json', { messages: session() });
    write(
      'records/b.jsonl',
      '{"uuid":"u1","type":"user","sessionId":"s","message":{"role":"user","content":"Hello."}}',
    );
    const out = join(folder, 'written');
    const { code, figures } = await evaluate('transcripts', join(folder, 'records'), '--out', out);
    expect(code).toBe(0);
    expect(figures).toMatchObject({ suite: 'transcripts', passed: 2, failed: 0, large: 1, large_to_share: 1 });
    expect(Object.keys(figures['formats'] as object)).toEqual(['claude-code (anthropic)', 'openai-chat']);
    expect(readFileSync(join(out, 'chat/a.json'), 'utf8')).toContain('[recall h_');
  });

  it('fails on a file that no reader knows, and names it', async () => {
    write('strange/a.json', { pages: [1, 2] });
    const { code, out, figures } = await evaluate('transcripts', join(folder, 'strange'));
    expect(code).toBe(1);
    expect(out).toContain('failed: a.json: No known list of messages');
    expect(figures).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('holdfast eval late-refs', () => {
  it('finds what a later call needs in the window compacted before it, or behind its marks', async () => {
    write('late/openai-chat/a.json', { messages: session() });
    const reference = {
      vi: 0,
      msg: 7,
      first: 2,
      first_role: 'tool',
      class: 'id',
      value: 'IT-88213',
      tool: 'return_item',
      arg: 'item',
    };
    const values = [{ occ: [2, 7], by: 'ta' }];
    const transcript = { format: 'openai-chat', messages: 8, refs: [reference], values };
    write('late/late_refs.own.json', { transcripts: { 'openai-chat/a.json': transcript } });
    const { code, figures } = await evaluate('late-refs', join(folder, 'late'), '--at', '0.875', '--setup', 'recall');
    expect(code).toBe(0);
    expect(figures).toMatchObject({ suite: 'late-refs', passed: 1, failed: 0, needed: 1, recallable: 1 });
    expect(Number(figures['tokens_left'])).toBeLessThanOrEqual(0.5);
  });

  it('refuses a folder without references, and an unknown set-up', async () => {
    mkdirSync(join(folder, 'none'), { recursive: true });
    expect((await evaluate('late-refs', join(folder, 'none'))).out).toContain('late_refs');
    expect((await evaluate('late-refs', join(folder, 'late'), '--setup', 'best')).code).toBe(2);
  });
});

describe('holdfast eval fieldcases', () => {
  const fieldCase = (expected: unknown, kind = 'latest-user') => ({
    id: 'own-01',
    kind,
    format: 'openai-chat',
    window: session(),
    budget: 600,
    approx_tokens: { window: 1400, tools: 0 },
    expect: {
      must: 'Keep the request.',
      refused: false,
      paired_tools: true,
      last_user_verbatim: true,
      ...(expected as object),
    },
  });

  it('passes a case that holds, and skips what needs a server', async () => {
    write('cases-good/a.json', fieldCase({ verbatim: ['W2378156'], max_tokens: 600 }));
    write('cases-good/b.json', fieldCase({}, 'queue'));
    const { code, figures } = await evaluate('fieldcases', join(folder, 'cases-good'));
    expect(figures).toMatchObject({ passed: 1, failed: 0, skipped: { 'server kind queue': 1 } });
    expect(code).toBe(0);
  });

  it('names the field that does not hold, unknown ones included', async () => {
    write('cases-bad/a.json', fieldCase({ verbatim: ['never said'], shines: true }));
    const { code, out, figures } = await evaluate('fieldcases', join(folder, 'cases-bad'));
    expect(code).toBe(1);
    expect(out).toContain('own-01: verbatim: not in the window: "never said"');
    expect(out).toContain('own-01: shines: no checker knows the field');
    expect(figures).toMatchObject({ failed_fields: { verbatim: 1, shines: 1 } });
  });

  it('explains a case with what became of each element', async () => {
    const { out } = await evaluate('fieldcases', join(folder, 'cases-good'), '--explain', 'own-01');
    expect(out).toMatch(/e1 user text: keep \(human_text\)/u);
  });
});

describe('holdfast eval passes', () => {
  it('plays a session in slices and finds memory as it was', async () => {
    write('sessions/a.json', { messages: session() });
    const { code, figures } = await evaluate(
      'passes',
      join(folder, 'sessions'),
      '--passes',
      '4',
      '--min-tokens',
      '100',
    );
    expect(figures).toMatchObject({ suite: 'passes', passed: 1, failed: 0, net_negative: 0, pinned_over_limit: 0 });
    expect(code).toBe(0);
  });
});

describe('holdfast eval tools', () => {
  it('takes no write for a read, and every read for one once it is declared', async () => {
    const parameters = { type: 'object', properties: { order: { type: 'string' } } };
    write('labels/tools.json', [
      { name: 'get_order', effect: 'read', mutates_state: false, schema: { function: { parameters } } },
      { name: 'cancel_order', effect: 'write', mutates_state: true, schema: { function: { parameters } } },
    ]);
    const { code, figures } = await evaluate('tools', join(folder, 'labels'));
    expect(figures).toMatchObject({ passed: 2, failed: 0, write_as_read: 0, read_recall: 1 });
    expect(figures).toMatchObject({ without_contracts: { write_as_read: 0, read_recall: 1 } });
    expect(code).toBe(0);
  });

  it('an undeclared write is no read whatever its name begins with', async () => {
    const names = ['get_and_delete', 'list_item_for_sale', 'check_out_cart', 'find_or_create', 'pop_message'];
    write('sly/tools.json', [
      ...names.map((name) => ({ name, effect: 'write', mutates_state: true, schema: {} })),
      { name: 'frobnicate', effect: 'read', mutates_state: false, schema: {} },
    ]);
    const { code, figures } = await evaluate('tools', join(folder, 'sly'));
    expect(figures).toMatchObject({ failed: 0, without_contracts: { write_as_read: 0, read_recall: 0 } });
    expect(code).toBe(0);
  });
});

describe('holdfast eval drift', () => {
  it('counts what is found, missed and reported for nothing', async () => {
    const elements = [{ id: 'e1', text: 'The order W2378156 costs $118.' }];
    const label = { kind: 'identifier_mutated', expected: 'W2378156', observed: 'W2378165', start: 6, end: 14 };
    write('drift/a.json', {
      id: 'a',
      elements,
      summary: 'Order W2378165 costs $118.',
      drift: [label],
      faithful: false,
    });
    write('drift/b.json', { id: 'b', elements, summary: 'Order W2378156 costs $118.', drift: [], faithful: true });
    const { code, figures } = await evaluate('drift', join(folder, 'drift'));
    expect(figures).toMatchObject({ passed: 2, failed: 0, recall: 1, false_alarm_rate: 0, kind_accuracy: 1 });
    expect(code).toBe(0);
  });

  it('changes one thing in sentences of transcripts and looks for it', async () => {
    const content = 'The order W2378156 of mia_li_3668 costs 1,625.50 dollars. It must not leave before 11:40 today.';
    write('mutated/openai-chat/a.json', { messages: [{ role: 'user', content }] });
    const { figures } = await evaluate('drift', '--mutations', '2', join(folder, 'mutated'));
    expect(figures).toMatchObject({ mutations: 2, recall: 1, false_alarm_rate: 0 });
  });
});
