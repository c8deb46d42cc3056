import { corruptedValues, valuesIn } from './downstream-use';

it.each([
  ['R3 request id: req_8f20aa17c2', 'R3 request id: req_8f20aa17d2', ['req_8f20aa17d2']],
  ['118,000 orders', 'about 120,000 orders', ['120,000']],
  [null, 'E9 refund | W-2201 | succeeded', ['W-2201']],
  ['R3 request id: req_8f20aa17c2', null, []],
  ['[recall h_ab12cd]', null, []],
])('finds what %j became in %j', (expected, observed, values) => {
  expect(corruptedValues(expected, observed)).toEqual(values);
});

it('knows a value only as a whole token', () => {
  expect(valuesIn('look at req_8f20aa17d2.', ['req_8f20aa17d2', '120,000'])).toEqual(['req_8f20aa17d2']);
  expect(valuesIn('req_8f20aa17d2x and pre-req_8f20aa17d2', ['req_8f20aa17d2'])).toEqual([]);
});
