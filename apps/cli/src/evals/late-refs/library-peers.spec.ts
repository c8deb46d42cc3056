import { countWindow } from '@holdfast/core';
import { readWindow } from '../window-text';
import { installed, loadLibraryPeers } from './library-peers';
import type { PeerWindow } from './peers';

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look_up', arguments: `{"key":"ask-${id}"}` } }],
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `answer-${id}` });

const WINDOW = JSON.stringify([
  { role: 'system', content: 'policy' },
  { role: 'user', content: 'first question' },
  call('c1'),
  result('c1'),
  { role: 'assistant', content: 'first reply' },
  { role: 'user', content: 'second question' },
  call('c2'),
  result('c2'),
  { role: 'assistant', content: 'second reply' },
]);

async function leftBy(name: string, targetTokens: number): Promise<PeerWindow> {
  const window = readWindow('openai-chat', WINDOW);
  const { peers } = await loadLibraryPeers();
  const peer = peers[name];
  if (window === undefined || peer === undefined) throw new Error(`no ${name}`);
  // One token for each part: targets can be counted by hand.
  const counter = {
    name: 'ones',
    exact: true,
    count: (texts: readonly string[]) => Promise.resolve(texts.map(() => 1)),
  };
  return peer(window, await countWindow(window, counter), targetTokens);
}

describe('LangChain trimMessages on a window', () => {
  it('leaves the newest messages that fit, from a message of a person on', async () => {
    const { text, tokens } = await leftBy('langchain-trim-messages', 30);
    expect(text).toContain('second question');
    expect(text).toContain('ask-c2');
    expect(text).not.toContain('first');
    expect(text).not.toContain('policy');
    expect(tokens).toBeLessThanOrEqual(30);
  });

  it('leaves nothing where not even the newest message of a person fits', async () => {
    expect(await leftBy('langchain-trim-messages', 6)).toEqual({ text: '', tokens: 0 });
  });
});

describe('AI SDK pruneMessages on a window', () => {
  it('drops calls with their results before the last two messages, and keeps what was said', async () => {
    const { text } = await leftBy('ai-sdk-prune-messages', 1);
    expect(text).toContain('first question');
    expect(text).toContain('first reply');
    expect(text).not.toContain('answer-c1');
    expect(text).not.toContain('ask-c1');
    expect(text).toContain('answer-c2');
  });
});

describe('a library that is not installed', () => {
  it('is left out; any other failure is not hidden', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(await installed(() => Promise.reject(missing))).toBeUndefined();
    await expect(installed(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
