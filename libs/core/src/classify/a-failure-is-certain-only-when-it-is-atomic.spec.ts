import { callOutcome } from './call-outcome';
import { ContractBook } from './compiled-contract';
import { resultText } from './result-text';
import type { ToolContract } from './tool-contract';

function statusOf(contract: ToolContract, text: string | undefined, isError?: boolean): string {
  const compiled = new ContractBook({ tool: contract }).find('tool');
  const result = text === undefined ? undefined : resultText(text, isError);
  return callOutcome({ result, contract: compiled, position: 'passed' }).status;
}

const failed_when = [{ prefix: 'Error' }];
const succeeded_when = [{ json_path: '$.status', equals: 'ok' }];

it.each<[string, ToolContract, string | undefined, boolean | undefined, string]>([
  ['atomic failure', { effect: 'write', outcome: { failed_when, atomic: true } }, 'Error: no', undefined, 'failed'],
  [
    'failure that may be partly applied',
    { effect: 'write', outcome: { failed_when } },
    'Error: no',
    undefined,
    'unknown',
  ],
  [
    'lost answer, atomic or not',
    { effect: 'write', outcome: { failed_when, atomic: true } },
    'Error: timed out',
    undefined,
    'unknown',
  ],
  ['never ran', { effect: 'write', outcome: { failed_when } }, 'Error: Unknown tool pay', undefined, 'failed'],
  ['declined', { effect: 'write', outcome: { failed_when } }, 'The user rejected this tool call', true, 'declined'],
  ['provider error without a rule', { effect: 'write' }, 'boom', true, 'unknown'],
  ['provider error, atomic', { effect: 'write', outcome: { atomic: true } }, 'boom', true, 'failed'],
  ['no rule matched', { effect: 'write', outcome: { failed_when } }, 'booked', undefined, 'succeeded'],
  ['success proven', { effect: 'write', outcome: { succeeded_when } }, '{"status":"ok"}', undefined, 'succeeded'],
  ['success not proven', { effect: 'write', outcome: { succeeded_when } }, '{"status":"odd"}', undefined, 'unknown'],
  [
    'both hold',
    { effect: 'write', outcome: { failed_when, succeeded_when: [{ contains: 'ok' }] } },
    'Error: ok',
    undefined,
    'unknown',
  ],
  ['interrupted', { effect: 'exec' }, '[Request interrupted by user for tool use]\nhook', true, 'unknown'],
  ['no result at all', { effect: 'write' }, undefined, undefined, 'unknown'],
])('%s', (_, contract, text, isError, status) => {
  expect(statusOf(contract, text, isError)).toBe(status);
});

it('quotes what decided', () => {
  const compiled = new ContractBook({ tool: { effect: 'write', outcome: { failed_when } } }).find('tool');
  const { evidence } = callOutcome({
    result: resultText('Error: 17 items left', undefined),
    contract: compiled,
    position: 'passed',
  });
  expect(evidence).toContain('prefix "Error"');
  expect(evidence).toContain('"Error: 17 items left"');
});
