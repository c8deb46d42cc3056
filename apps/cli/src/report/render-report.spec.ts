import type { Receipt, ReceiptElement } from '@holdfast/core';
import type { PassReport } from './pass-report';
import { renderReport } from './render-report';
import { styleFor } from './style';

const VERDICT = { holds: true, by: 'stands' };

function element(fields: Partial<ReceiptElement>): ReceiptElement {
  return {
    ...{ element_id: 'e1', path: '/0', kind: 'text', role: 'user', class: 'externalize', view: 'authoritative' },
    ...{ rule: 'human_text', evidence: 'words', operation: 'keep', tokens_before: 100, tokens_after: 100 },
    ...{ digest: '0'.repeat(64), c1: VERDICT, c2: VERDICT, c3: VERDICT },
    ...fields,
  };
}

function receipt(fields: Partial<Receipt> = {}): Receipt {
  const elements = fields.elements ?? [
    element({}),
    element({
      element_id: 'e2',
      class: 'reclaim',
      operation: 'evict',
      tokens_before: 4_000,
      tokens_after: 20,
      handle: 'h_1',
    }),
  ];
  return {
    ...{ version: 1, session_id: 's', pass: 1, format: 'openai-chat', mode: 'enforce', recall: 'tool' },
    ...{ outcome: 'compacted', counter: { name: 'o200k_base', exact: true }, budget_tokens: 2_000, aim_tokens: 2_000 },
    ...{ tokens: { before: 4_200, after: 1_220, system: 100, pinned: 0, floor: 900 } },
    ...{ input_sha256: 'a', output_sha256: 'b' },
    classes: { reclaim: 1, pin_effect: 0, externalize: 1, ambiguous: 0 },
    operations: { keep: 1, repack: 0, reduce: 0, evict: 1, summarize: 0 },
    ...{ sealed_fields: 0, effects: [], records: [], plan_sha256: 'c', previous: null, hash: 'd'.repeat(64) },
    ...fields,
    elements,
  };
}

function report(fields: Partial<PassReport> = {}): PassReport {
  return {
    ...{ title: 'a session', origin: 'session.json', mode: 'enforce', recall: 'tool', declaredTools: 3, remarks: [] },
    ...{ outcome: 'compacted', reason: undefined, refusal: undefined, incidents: [], receipt: receipt() },
    ...{ tokensBefore: 4_200, tokensAfter: 1_220, tokensSystem: 100, notices: [], effects: [], records: [] },
    ...{ findings: [], phases: [], window: '[{"role":"user","content":"go on"}]' },
    ...fields,
  };
}

function rendered(fields: Partial<PassReport> = {}, showWindow = false): string {
  return renderReport(report(fields), { style: styleFor({}, {}), showWindow });
}

const effect = { ref: 'E1', action: 'pay', target: 'cus_19', status: 'succeeded', kept: [], evidence: 'ok' };

describe('the report of a pass', () => {
  it('gives tokens with and without the system prompt', () => {
    const text = rendered();
    expect(text).toContain('4,100 -> 1,120 tokens without the system prompt, -73 %');
    expect(text).toContain('4,200 -> 1,220 tokens with it, -71 %');
  });

  it('counts operations by class, leaving out classes that do not occur', () => {
    const text = rendered();
    expect(text).toMatch(/^ {2}reclaim +\. +\. +\. +1 +\. +4,000 -> 20 /mu);
    expect(text).not.toMatch(/^ {2}ambiguous/mu);
  });

  it('folds equal effects with their counts and puts open ones first', () => {
    const effects = [
      effect,
      { ...effect, ref: 'E2', status: 'failed' },
      { ...effect, ref: 'E3' },
      { ...effect, ref: 'E4', action: 'ship', status: 'unknown' },
    ];
    const lines = rendered({ effects }).split('\n');
    const open = lines.findIndex((line) => /^ {2}E4 +ship .* unknown/u.test(line));
    const closed = lines.findIndex((line) => /^ {2}E3 +pay .* 2 succeeded, 1 failed/u.test(line));
    expect(open).toBeGreaterThan(0);
    expect(closed).toBeGreaterThan(open);
  });

  it('shows live records only', () => {
    const record = { ref: 'R1', kind: 'constraint', label: '', content: 'never touch prod', superseded: false };
    const text = rendered({ records: [record, { ...record, ref: 'R2', content: 'old', superseded: true }] });
    expect(text).toContain('Records kept byte for byte: 1');
    expect(text).not.toContain('R2');
  });

  it('says when the receipt does not hold, and why', () => {
    const text = rendered({ findings: [{ check: 'output', message: 'is another window' }] });
    expect(text).toContain('DOES NOT HOLD');
    expect(text).toContain('output: is another window');
    expect(text).not.toContain('verified offline');
  });

  it('says what somebody else had changed, and that it was put back', () => {
    const message = 'E1 was handed out in the pinned block and came back edited: put back from the store';
    const text = rendered({ incidents: [{ kind: 'effect_status_changed', severity: 'error', message }] });
    expect(text).toMatch(/came back +1 incident/u);
    expect(text).toContain('effect_status_changed: E1 was handed out');
  });

  it('explains a refusal with its repairs, and that nothing changed', () => {
    const text = rendered({
      outcome: 'refused',
      window: undefined,
      findings: undefined,
      refusal: {
        code: 'BUDGET_UNREACHABLE',
        message: 'over the budget',
        elements: [],
        floor_tokens: 900,
        shortfall_tokens: 40,
        headroom_tokens: undefined,
        repairs: [{ kind: 'raise_budget', budget_tokens: 940, message: 'raise the budget by 40' }],
      },
    });
    expect(text).toContain('REFUSED');
    expect(text).toContain('Refused: BUDGET_UNREACHABLE');
    expect(text).toContain('- raise the budget by 40');
    expect(text).toContain('still valid and untouched');
    expect(text).not.toContain('What left');
  });

  it('lists what a failed verification found as drift', () => {
    const elements = [{ element_id: 'e4', path: '/4', evidence: '118,000 became 120k' }];
    const refusal = { code: 'PROOF_FAILED', message: 'not proven', elements, repairs: [] } as const;
    const none = { floor_tokens: undefined, shortfall_tokens: undefined, headroom_tokens: undefined };
    const text = rendered({ outcome: 'refused', window: undefined, refusal: { ...refusal, ...none } });
    expect(text).toMatch(/drift +1 incidents/u);
    expect(text).toContain('118,000 became 120k');
  });

  it('prints the window only when asked to', () => {
    expect(rendered()).not.toContain('The compacted window');
    expect(rendered({}, true)).toContain('[user text]\n    go on');
  });

  it('says that nothing was declared', () => {
    expect(rendered({ declaredTools: undefined })).toContain('no tool contract');
  });

  it('colours a terminal and nothing else, and honours NO_COLOR', () => {
    const coloured = renderReport(report(), { style: styleFor({ isTTY: true }, {}), showWindow: false });
    expect(coloured).toContain('\u001b[');
    expect(styleFor({ isTTY: true }, { NO_COLOR: '1' }).bad('x')).toBe('x');
    expect(styleFor({ isTTY: false }, {}).bad('x')).toBe('x');
  });
});
