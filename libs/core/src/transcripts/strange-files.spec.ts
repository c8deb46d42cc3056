import fc from 'fast-check';
import { arbitraryMessages } from '../../test/arbitrary-window';
import { DEFAULT_READ_LIMITS, formatOf } from '../formats';
import { readTranscript } from './index';

const keys = fc.constantFrom(
  ...['messages', 'history', 'traj', 'request', 'response', 'observations', 'spans', 'turn_history', 'loglines'],
  ...[
    'query',
    'generatedItems',
    '$schemaVersion',
    'originalInput',
    'events',
    'raw_messages',
    'payload',
    'type',
    'method',
  ],
);
const strange = fc.jsonValue({ maxDepth: 1, depthSize: 'xsmall' });
const event = fc.record(
  {
    id: strange,
    source: fc.constantFrom('agent', 'user'),
    kind: fc.constantFrom('MessageEvent', 'ActionEvent', 'ObservationEvent'),
    action: fc.constantFrom('run', 'message', 'system', 'finish', 'condensation'),
    observation: fc.constantFrom('run', 'recall', 'null'),
    args: strange,
    agent: strange,
    type: fc.constantFrom('user', 'assistant', 'response_item', 'session', 'session_meta', 'compacted', 'start'),
    payload: fc.oneof(strange, arbitraryMessages),
    message: strange,
    uuid: strange,
    input: fc.oneof(
      strange,
      arbitraryMessages,
      arbitraryMessages.map((value) => JSON.stringify(value)),
    ),
    output: strange,
  },
  { requiredKeys: [] },
);
const value = fc.oneof(
  strange,
  arbitraryMessages,
  fc.array(event, { maxLength: 5 }),
  fc.record({ actions: fc.array(strange) }),
);

it('no file makes the reader throw, and what it reads is a window or said to be none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.dictionary(keys, value, { maxKeys: 4 }).map((document) => JSON.stringify(document)),
        fc.array(event, { maxLength: 5 }).map((events) => JSON.stringify(events)),
        fc.array(event, { maxLength: 5 }).map((events) => events.map((line) => JSON.stringify(line)).join('\n')),
      ),
      (text) => {
        const answer = readTranscript(text);
        if (answer.kind !== 'transcript') return;
        const { format, source } = answer.transcript;
        expect(['window', 'invalid', 'server_held']).toContain(formatOf(format).read(source, DEFAULT_READ_LIMITS).kind);
      },
    ),
    { numRuns: 150 },
  );
});
