import { callOutcome } from './call-outcome';
import { resultText } from './result-text';

it.each([
  ['{"ok":true,"message_id":"msg_40127"}', undefined, 'succeeded'],
  ['posted id=brd-7781', undefined, 'succeeded'],
  ['Error handling is described in chapter 4.', undefined, 'succeeded'],
  ['ERROR 550 sender not allowed on smtp-a', undefined, 'failed'],
  ['Error: no such branch', undefined, 'failed'],
  ['{"error":{"code":404}}', undefined, 'failed'],
  ['{"error":null,"id":7}', undefined, 'succeeded'],
  ['{"success":false}', undefined, 'failed'],
  ['anything', true, 'failed'],
  ['timeout after 30 s, no response body', undefined, 'fired'],
  ['Tool run was interrupted', undefined, 'fired'],
  ['The user declined this action: keep winter-2024, the photographer still needs it.', true, 'declined'],
  ["The user doesn't want to proceed with this tool use. The tool use was rejected.", true, 'declined'],
  ['<tool_use_error>File has not been read yet.</tool_use_error>', true, 'failed'],
  ['{"status":"awaiting_approval"}', undefined, 'awaiting_approval'],
] as const)('%s', (text, isError, status) => {
  const outcome = callOutcome({ result: resultText(text, isError), contract: undefined, position: 'passed' });
  expect(outcome.status).toBe(status);
});

it('has fired when the window went on without a result', () => {
  expect(callOutcome({ result: undefined, contract: undefined, position: 'passed' }).status).toBe('fired');
});
