import { findDrift, type DriftFinding, type DriftInput } from '.';

const find = (text: string, summary: string, more: Partial<DriftInput> = {}): readonly DriftFinding[] =>
  findDrift({ mode: 'tolerant', sources: [{ id: 'e1', text }], summary, ...more });
const errors = (text: string, summary: string, more: Partial<DriftInput> = {}): readonly string[] =>
  find(text, summary, more)
    .filter(({ severity }) => severity === 'error')
    .map(({ kind, expected, observed }) => `${kind}: ${String(observed)} for ${String(expected)}`);

const ward =
  'Patient MRN-4471902, Ingrid Solberg, admitted 2026-03-14 08:20 to ward 7B. Warfarin 5 mg daily, INR 3.4. ' +
  'Metoprolol 50 mg at 07:00 and 19:00. Potassium 4.1 mmol/L, creatinine 118. Allergic to penicillin.';
const freight =
  '{"shipment":"SHP-88213-QX","container":"MSKU4471830","weight_kg":18250,"pallets":[{"id":"P1","boxes":40},{"id":"P2","boxes":36}],' +
  '"vessel":"Maren Havel","eta":"2026-04-02T06:30:00Z","port":"Rotterdam","price":"4200.00"}';
const outage =
  'deploy api-gateway v2.14.3 to eu-west-1 took 312 ms per pod, error rate 0.42 %, started 11:04:10, ended 11:19:40. ' +
  'Config /etc/gateway/routes/prod.yaml, commit 9f3c2a7be41d, flag --max-conns=2048. Do not restart node db-07.';

describe('findDrift in tolerant mode', () => {
  it.each([
    ['a rephrased note', ward, 'Ingrid Solberg (MRN-4471902) lies in ward 7B since March 14. Warfarin 5 mg, INR 3.4.'],
    ['a unit spelled out', ward, 'She takes 50 milligrams of metoprolol twice a day, at 7 AM and 7 PM.'],
    ['a date without its year', ward, 'Admitted on 14 March at 08:20; penicillin is out of the question.'],
    ['a sum of what is listed', freight, 'Container MSKU4471830 holds 40 + 36 = 76 boxes on two pallets.'],
    ['a converted unit', freight, 'SHP-88213-QX weighs 18.25 t... that is 18250 kg, for $4200.'],
    ['a share', freight, 'Of its 76 boxes P1 has 40, about 53 %, and P2 has 36.'],
    ['a duration between two times', outage, 'The deploy of v2.14.3 ran from 11:04:10 to 11:19:40, 15.5 minutes.'],
    ['a file by its name', outage, 'Routes come from prod.yaml; node db-07 must not be restarted.'],
    ['a sentence start', outage, 'Api-gateway v2.14.3 is out in eu-west-1 at commit 9f3c2a7be41d.'],
    ['an acronym and a brand', outage, 'The SRE checked the SLA in PagerDuty: 0.42 % errors.'],
    ['another language', outage, 'Das Gateway läuft mit v2.14.3 in eu-west-1; 312 ms pro Pod, Fehlerrate 0.42 %.'],
    ['a language without spaces', outage, '已将api-gateway升级到v2.14.3,每个pod用时312 ms,错误率0.42 %。'],
    ['a count in figures', freight, 'The 2 pallets go to Rotterdam aboard the Maren Havel, due April 2.'],
    ['a time in another notation', freight, 'ETA Rotterdam is 2 April 2026, 6:30 AM.'],
    ['words with a slash', outage, 'The gateway and/or its config may be reviewed; read/write access is there.'],
  ])('lets %s pass', (_name, text, summary) => {
    expect(errors(text, summary)).toEqual([]);
  });

  it.each([
    ['identifier_mutated', ward, 'Patient MRN-4471920 is in ward 7B.'],
    ['name_changed', ward, 'Ingrid Solborg was admitted.'],
    ['unit_changed', ward, 'Warfarin 5 g daily.'],
    ['number_changed', ward, 'Creatinine 181 was measured.'],
    ['date_changed', ward, 'Admitted on March 15.'],
    ['identifier_mutated', freight, 'Container MSKU4471380 is on its way.'],
    ['number_rounded', freight, 'It weighs about 18,000 kg.'],
    ['invented_value', freight, 'Seal number ZK-5519-RR was attached.'],
    ['version_changed', outage, 'Deployed v2.14.8 to eu-west-1.'],
    ['path_truncated', outage, 'Config is /etc/gateway/prod.yaml.'],
    ['path_changed', outage, 'Config is /etc/gateway/routes/prod.yml.'],
    ['hash_truncated', outage, 'At commit 9f3c2b7.'],
    ['number_changed', outage, 'Set --max-conns=4096 for it.'],
    ['identifier_mutated', outage, 'Leave db-О7 alone; use eu-wеst-1.'],
  ])('finds %s', (kind, text, summary) => {
    expect(find(text, summary)).toMatchObject(expect.arrayContaining([expect.objectContaining({ kind })]) as object);
  });

  it('tells another notation by a warning, with both places', () => {
    const [finding] = find(freight, 'Due 2 April 2026.');
    expect(finding).toMatchObject({ kind: 'reformatted', severity: 'warning', start: 4, end: 16 });
    const { source, expected } = finding ?? {};
    expect(freight.slice(source?.start, source?.end)).toBe(expected);
  });

  it('knows near twins by the words around them', () => {
    const text = 'Pump A draws 4120 W at valve V-118. Pump B draws 4210 W at valve V-181.';
    expect(errors(text, 'Pump A draws 4120 W at valve V-118.')).toEqual([]);
    expect(errors(text, 'Pump A draws 4210 W.')).toEqual(['number_changed: 4210 W for 4120 W']);
  });

  it('finds a lost negation', () => {
    expect(errors(outage, 'Do restart node db-07.')).toEqual([
      'constraint_weakened: Do restart node db-07 for Do not restart node db-07',
    ]);
  });
});

describe('findDrift on plan, constraints and effects', () => {
  const plan = { step: 4, of: 7, text: 'Reconcile the invoices' };
  const transfer = { action: 'transfer_stock', target: 'WH-12', idempotencyKey: null };

  it.each([
    ['We are at step 4 of 7.', []],
    ['Steps 1 to 3 are done, the fourth step is under way.', []],
    ['Next the invoices are reconciled.', []],
    ['We are at step 5 of 7.', ['plan_step_changed: step 5 of 7']],
    ['Working through the list.', ['plan_step_lost: null']],
  ])('plan: %s', (summary, expected) => {
    expect(find('x', summary, { plan }).map(({ kind, observed }) => `${kind}: ${String(observed)}`)).toEqual(expected);
  });

  it.each([
    ['Nothing may leave the depot before 6 AM.', []],
    ['If possible trucks leave after breakfast.', ['constraint_weakened']],
    ['The trucks are loaded.', ['constraint_lost']],
  ])('constraint: %s', (summary, expected) => {
    const constraints = [{ text: 'Never leave the depot before 6 AM', required: true }];
    expect(find('Never leave the depot before 6 AM', summary, { constraints }).map(({ kind }) => kind)).toEqual(
      expected,
    );
  });

  it.each([
    ['succeeded', 'The stock was transferred to WH-12.', []],
    ['succeeded', 'She wants to transfer the stock.', ['effect_omitted']],
    ['succeeded', 'The transfer of the stock failed.', ['effect_status_changed']],
    ['failed', 'The stock was transferred to WH-12.', ['effect_status_changed']],
    ['failed', 'The transfer was refused: WH-12 is full.', []],
    ['fired', 'The transfer went through.', ['effect_status_changed']],
    ['fired', 'The transfer was requested; no answer yet.', []],
  ])('effect %s: %s', (status, summary, expected) => {
    const effects = [{ ...transfer, status }];
    expect(find('WH-12 is full', summary, { effects }).map(({ kind }) => kind)).toEqual(expected);
  });

  it('gets through hostile text', () => {
    for (const piece of ['\u0000', '\ud800', '1,', 'step 1 ', 'not ', 'a.b/', '`', 'Aa ']) {
      const text = piece.repeat(20_000);
      expect(() => find(text, text.slice(0, 20_000), { plan })).not.toThrow();
    }
  });
});
