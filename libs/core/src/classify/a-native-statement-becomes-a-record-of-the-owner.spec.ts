import { classifyWindow } from '../../test/classify-window';

it.each([
  ['constraint', 'Never touch the prod namespace.'],
  ['plan', 'Migration, step 6 of 9: backfill the index.'],
  ['plan', 'Open items: trace the screen; verify the build.'],
  ['identifier', 'request_id: req_7f3a9c21e0b4'],
  ['identifier', 'ORD-77-204'],
] as const)('%s: %s', (kind, content) => {
  const { records, elements } = classifyWindow('elements', [{ id: 'a', content, task_critical: true }]);
  expect(elements[0]).toMatchObject({ class: 'externalize', view: 'authoritative' });
  expect(records).toEqual([expect.objectContaining({ elementId: 'a', kind, content, trust: 'owner' })]);
});
