import { keptScalars } from '.';

const options = { isNeeded: () => false, standsElsewhere: () => false, keep: [], maxTokens: 10_000 };

it('writes like rows under one list of names, and what they share once', () => {
  const text = JSON.stringify({
    id: 'R17',
    flights: [
      { number: 'HAT1', from: 'ATL', price: 120 },
      { number: 'HAT2', from: 'ATL', price: 131 },
    ],
    cards: { card_4421: { brand: 'visa' } },
  });
  expect(keptScalars(text, options)).toBe(
    'id R17; flights (from ATL; number price): HAT1 120, HAT2 131; cards (card_4421 (brand visa))',
  );
});

it('quotes what could be taken for the end of a value', () => {
  expect(keptScalars(JSON.stringify({ note: 'a; b 3', unit: 'x y' }), options)).toBe('note "a; b 3"; unit "x y"');
});

it('keeps identifiers alone where no more is asked for', () => {
  const text = JSON.stringify({ order_id: 'W8827341', status: 'delivered', total: 214.5 });
  expect(keptScalars(text, { ...options, worth: 'ids' })).toBe('order_id W8827341');
});

it('tells a value that left from one that a row never had', () => {
  const rows = [
    { number: 'HAT01', date: '2024-05-13' },
    { number: 'HAT02', date: '2024-05-14' },
    { number: 'HAT03' },
    { number: 'HAT04', date: '2024-05-13' },
    { number: 'HAT05', date: '2024-05-13' },
    { number: 'HAT06', date: '2024-05-13' },
  ];
  const stands = { ...options, standsElsewhere: (value: string) => value === '2024-05-13' };
  expect(keptScalars(JSON.stringify({ flights: rows }), { ...stands, worth: 'days_and_amounts' })).toBe(
    'flights (number date): HAT01 …, HAT02 2024-05-14, HAT03 -, HAT04 …, HAT05 …, HAT06 …',
  );
});
