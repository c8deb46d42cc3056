import { expositionAtStart } from './exposition';

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
const LONG_ID = /[0-9a-f]{16,}|\d{5,}/i;
/** Every label there is. A new one must have a closed set of values. */
const LABELS = [
  ...['answer', 'channel', 'check', 'class', 'code', 'kind', 'outcome', 'phase', 'provider', 'queue', 'reason', 'side'],
  ...['status', 'method', 'route', 'service', 'version', 'commit', 'le'],
];
/** Of the runtime's own metrics. */
const LABELS_OF_NODE = ['version', 'type', 'space', 'major', 'minor', 'patch', 'kind'];

describe('labels of metrics', () => {
  it('are known, and take no ids', async () => {
    const { values } = await expositionAtStart('api');
    for (const [key, taken] of values) {
      const [family = '', label = ''] = key.split(' ');
      expect(family.startsWith('nodejs_') ? LABELS_OF_NODE : LABELS).toContain(label);
      for (const value of taken) {
        expect(`${key} ${value}`).not.toMatch(UUID);
        expect(`${key} ${value}`).not.toMatch(LONG_ID);
      }
    }
  });

  it('no family has more series than somebody can read', async () => {
    const { values } = await expositionAtStart('worker');
    for (const [key, taken] of values) expect(`${key} ${taken.size < 60 ? 'few' : taken.size}`).toBe(`${key} few`);
  });
});
