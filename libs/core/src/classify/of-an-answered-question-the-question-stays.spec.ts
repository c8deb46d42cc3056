import { classifyWindow } from '../../test/classify-window';

const OFFER = [
  'I have found your reservation. Here is what it holds:',
  '',
  '- Origin: Boston, in the morning, with a stop in Orlando on the way there',
  '- Cabin: economy, with one bag each and no insurance for either of the two',
  '- Passengers: Chen Lee and Noah Hernandez, both of them adults',
  '',
  'That is all there is. What would you like to change about it?',
].join('\n');

function answered(answer: string) {
  const { elements } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Look at YAX4DR.' },
      { role: 'assistant', content: OFFER },
      { role: 'user', content: answer },
    ],
  });
  return elements[1];
}

it('keeps the sentence that asks, and the one before it', () => {
  const question = answered('I want to upgrade to business, please.');
  expect(question).toMatchObject({ rule: 'question_answered', view: 'disposable' });
  expect(question?.keeps).toBe('That is all there is.\nWhat would you like to change about it?');
});

it.each([
  'Change the first of the two.',
  'Both of them, please, to the same as before.',
  'Ja bitte, auf Business ändern',
])('keeps all of it where the answer may point at it: %s', (answer) => {
  expect(answered(answer)).toMatchObject({ rule: 'proposal_answered', view: 'authoritative' });
});
