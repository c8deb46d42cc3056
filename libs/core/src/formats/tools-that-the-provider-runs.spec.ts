import { windowOf } from '../../test/windows';
import type { FormatName } from '../terms';
import { formatOf } from './index';

interface Case {
  readonly format: FormatName;
  readonly window: object;
  readonly call: readonly [tool: string, args: string];
  readonly result: string | undefined;
  readonly isError?: true;
}

const responses = (item: object): object => ({ input: [{ role: 'user', content: 'Go' }, item] });
const anthropic = (...content: object[]): object => ({
  messages: [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content },
  ],
});
const gemini = (...parts: object[]): object => ({
  contents: [
    { role: 'user', parts: [{ text: 'Go' }] },
    { role: 'model', parts },
  ],
});

const CASES: readonly (readonly [string, Case])[] = [
  [
    'pages that a search found are its result',
    {
      format: 'openai-responses',
      window: responses({
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'ports', sources: [{ type: 'url', url: 'https://a.example' }] },
      }),
      call: ['web_search', '{"type":"search","query":"ports"}'],
      result: '[{"type":"url","url":"https://a.example"}]',
    },
  ],
  [
    'code, and what it printed',
    {
      format: 'openai-responses',
      window: responses({
        type: 'code_interpreter_call',
        id: 'ci_1',
        status: 'completed',
        code: 'print(1)',
        container_id: 'c',
        outputs: [{ type: 'logs', logs: '1' }],
      }),
      call: ['code_interpreter', '{"code":"print(1)","container_id":"c"}'],
      result: '[{"type":"logs","logs":"1"}]',
    },
  ],
  [
    'a server of tools that failed',
    {
      format: 'openai-responses',
      window: responses({
        type: 'mcp_call',
        id: 'm_1',
        server_label: 's',
        name: 'pay',
        arguments: '{"n":1}',
        output: null,
        error: 'declined',
      }),
      call: ['pay', '{"n":1}'],
      result: 'declined',
      isError: true,
    },
  ],
  [
    'a search that still runs has no result',
    {
      format: 'openai-responses',
      window: responses({ type: 'file_search_call', id: 'fs_1', status: 'searching', queries: ['a'], results: null }),
      call: ['file_search', '{"queries":["a"]}'],
      result: undefined,
    },
  ],
  [
    'blocks of one message',
    {
      format: 'anthropic',
      window: anthropic(
        { type: 'server_tool_use', id: 's1', name: 'web_fetch', input: { url: 'https://a.example' } },
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 's1',
          content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
        },
      ),
      call: ['web_fetch', '{"url":"https://a.example"}'],
      result: '{"type":"web_fetch_tool_result_error","error_code":"unavailable"}',
      isError: true,
    },
  ],
  [
    'blocks of a server of tools',
    {
      format: 'anthropic',
      window: anthropic(
        { type: 'mcp_tool_use', id: 'm1', name: 'ask', server_name: 's', input: { q: 1 } },
        { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: false, content: [{ type: 'text', text: 'so' }] },
      ),
      call: ['ask', '{"q":1}'],
      result: 'so',
    },
  ],
  [
    'signed parts of one content',
    {
      format: 'gemini',
      window: gemini(
        { toolCall: { id: 'a', toolType: 'FILE_SEARCH', args: { q: 1 } }, thoughtSignature: 'sig' },
        { toolResponse: { id: 'a', toolType: 'FILE_SEARCH', response: { found: 2 } }, thoughtSignature: 'sig' },
      ),
      call: ['file_search', '{"q":1}'],
      result: '{"found":2}',
    },
  ],
  [
    'code without an id, in snake case',
    {
      format: 'gemini',
      window: gemini(
        { executable_code: { language: 'PYTHON', code: '1/0' } },
        { code_execution_result: { outcome: 'OUTCOME_FAILED', output: 'ZeroDivisionError' } },
      ),
      call: ['code_execution', '{"language":"PYTHON","code":"1/0"}'],
      result: 'ZeroDivisionError',
      isError: true,
    },
  ],
];

describe('a call of a tool that the provider runs is a call with its result', () => {
  it.each(CASES)('%s', (_, { format, window, call: [tool, args], result, isError }) => {
    const parts = windowOf(format, window).parts.slice(1);
    expect(parts[0]).toMatchObject({ kind: 'call', text: args, editable: false, call: { tool, hosted: true } });
    expect(parts.slice(1).map(({ kind, text }) => ({ kind, text }))).toEqual(
      result === undefined ? [] : [{ kind: 'result', text: result }],
    );
    expect(parts[1]?.result).toEqual(
      result === undefined ? undefined : { call: 1, callId: parts[0]?.call?.callId, isError },
    );
    expect(formatOf(format).validate(JSON.stringify(window))).toEqual([]);
  });

  it('and what loads definitions of tools stays whole', () => {
    const window = windowOf(
      'anthropic',
      anthropic(
        { type: 'server_tool_use', id: 's1', name: 'tool_search_tool_bm25', input: {} },
        { type: 'tool_search_tool_result', tool_use_id: 's1', content: { tool_references: [] } },
      ),
    );
    expect(window.parts.slice(1).map(({ kind }) => kind)).toEqual(['opaque', 'opaque']);
  });

  it('and a result whose call is not there stays whole', () => {
    const result = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
    expect(windowOf('anthropic', anthropic(result)).parts[1]?.kind).toBe('opaque');
  });
});
