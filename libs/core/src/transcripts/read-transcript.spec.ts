import { readTranscript } from './index';

const MESSAGES = '[{"role":"user","content":"Please  look"}, {"role":"assistant","content":"1.0"}]';

describe('files that hold a window', () => {
  it('takes the messages of a tau-bench row as they are', () => {
    const text = `{"task_id": 8, "reward": 0.0, "traj": ${MESSAGES}, "trial": 1}`;
    expect(readTranscript(text)).toEqual({
      kind: 'transcript',
      transcript: {
        kind: 'tau-bench',
        format: 'openai-chat',
        source: MESSAGES,
        model: undefined,
        sessionHint: 'tau-bench-8-1',
        title: 'tau-bench task 8, trial 1',
        repairs: [],
      },
    });
  });

  it('takes the request of a recorded API call, its format by the endpoint', () => {
    const request = `{"messages": ${MESSAGES},"model":"m"}`;
    const text = `{"endpoint":"api.anthropic.com/v1/messages","request":${request},"response":{}}`;
    expect(readTranscript(text)).toMatchObject({
      transcript: { kind: 'request-record', format: 'anthropic', source: request, model: 'm', title: 'Please  look' },
    });
  });

  it('takes a list of messages or a request as it stands', () => {
    expect(readTranscript(MESSAGES)).toMatchObject({ transcript: { format: 'openai-chat', source: MESSAGES } });
    expect(readTranscript(MESSAGES, 'anthropic')).toMatchObject({ transcript: { format: 'anthropic' } });
  });

  it.each([
    ['{"endpoint":"x","request":null}', 'The record holds no request'],
    ['{"history":[]}', 'No known list of messages'],
    ['{"type":"event"}\n{"type":"event"}', 'No known kind of transcript'],
    ['once upon a time', 'The text is no JSON'],
  ])('says why %s cannot be read', (text, reason) => {
    expect(readTranscript(text)).toEqual({ kind: 'unreadable', reason });
  });
});
