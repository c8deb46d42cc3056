import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertmanagerAlert } from '../src/channels/alertmanager';
import { emailMessage } from '../src/channels/email-message';
import { pagerDutyEvent } from '../src/channels/pagerduty';
import { slackMessage } from '../src/channels/slack';
import { webhookBody } from '../src/channels/webhook';
import { ALERT_OF_A_REFUSAL } from './alert-of-a-refusal';

const PAGE = readFileSync(join(__dirname, '../../../docs/ALERTING.md'), 'utf8');

/** The first block of a language below a heading. */
function exampleBelow(heading: string, language: string): string {
  const section = PAGE.slice(PAGE.indexOf(`\n### ${heading}\n`));
  const start = section.indexOf(`\`\`\`${language}\n`) + language.length + 4;
  return section.slice(start, section.indexOf('\n```', start));
}

it.each([
  ['Webhook', () => JSON.parse(webhookBody(ALERT_OF_A_REFUSAL)) as unknown],
  ['Slack', () => slackMessage(ALERT_OF_A_REFUSAL)],
  ['PagerDuty', () => pagerDutyEvent(ALERT_OF_A_REFUSAL, '<routing key>')],
  ['Alertmanager', () => [alertmanagerAlert(ALERT_OF_A_REFUSAL)]],
])('%s', (heading, sent) => {
  expect(JSON.parse(exampleBelow(heading, 'json'))).toEqual(sent());
});

it('E-mail', () => {
  expect(exampleBelow('E-mail', 'text')).toBe(emailMessage(ALERT_OF_A_REFUSAL).text.trimEnd());
});
