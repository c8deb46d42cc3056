import { windowOf } from '../../test/windows';
import { DEFAULT_READ_LIMITS, elementsFormat } from './index';

const problemsOf = (source: unknown) => {
  const read = elementsFormat.read(JSON.stringify(source), DEFAULT_READ_LIMITS);
  return read.kind === 'invalid' ? read.problems.map(({ code, path }) => [code, path]) : read.kind;
};

describe('flags of native elements', () => {
  it('reads absent and null as false, and an unknown role as the user', () => {
    const part = windowOf('elements', [{ id: 'a', regenerable: true, idempotent: null, content: null, role: 'bot' }])
      .parts[0];
    expect(part).toMatchObject({ kind: 'native', role: 'user', text: '', editable: false, givenId: 'a' });
    expect(part?.native).toEqual({
      regenerable: true,
      idempotent: false,
      taskCritical: false,
      externalized: false,
      handle: undefined,
      action: undefined,
      target: undefined,
      idempotencyKey: undefined,
      status: undefined,
      hasContent: false,
    });
  });

  it('reads content that is no string as its source text', () => {
    const part = windowOf('elements', '[{"id":"a","content":{"b": 1.0}}]').parts[0];
    expect(part).toMatchObject({ text: '{"b": 1.0}', editable: false });
  });

  it('names the place of each wrong type', () => {
    expect(problemsOf([{ id: 'a', regenerable: 'yes' }, { id: 7 }, { id: 'c', status: 1 }, 5])).toEqual([
      ['ELEMENT_WRONG_TYPE', '/0/regenerable'],
      ['ELEMENT_WRONG_TYPE', '/1/id'],
      ['ELEMENT_WRONG_TYPE', '/2/status'],
      ['ELEMENT_WRONG_TYPE', '/3'],
    ]);
  });

  it('names the second of two elements with one id', () => {
    expect(problemsOf({ elements: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] })).toEqual([
      ['ELEMENT_ID_DUPLICATE', '/elements/2'],
    ]);
  });
});
