import type { AlertNotification } from '../alert-notification';
import type { GuardedHttp } from '../outbound/guarded-http';
import { alertFacts, alertSummary, alertTitle } from './alert-wording';
import type { SlackChannel } from './channel-configuration';
import { plainLine, plainLink } from './plain-line';
import type { SendAlert } from './send-alert';

/** Limits of Block Kit, in characters and counts. */
const MOST_HEADER = 150;
const MOST_FIELD = 2_000;
const MOST_FIELDS_IN_A_SECTION = 10;

/** The three characters that Slack gives a meaning: without them nobody is mentioned and nothing is linked. */
export function escapeForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapedWithin(text: string, mostCharacters: number): string {
  const escaped = escapeForSlack(text);
  // Escaping at most multiplies by five; a cut must not split an entity.
  return escaped.length <= mostCharacters ? escaped : escapeForSlack(plainLine(text, Math.floor(mostCharacters / 5)));
}

function linkBlocks(notification: AlertNotification): object[] {
  const links = [
    { text: 'Open in Holdfast', url: plainLink(notification.dashboardUrl), action_id: 'dashboard' },
    { text: 'Runbook', url: plainLink(notification.runbookUrl), action_id: 'runbook' },
  ].filter(({ url }) => url !== null);
  if (links.length === 0) return [];
  const elements = links.map(({ text, url, action_id }) => ({
    type: 'button',
    action_id,
    text: { type: 'plain_text', text },
    url,
  }));
  return [{ type: 'actions', elements }];
}

/** `text` is what a notification on a telephone shows; the blocks are the message. */
export function slackMessage(notification: AlertNotification): object {
  const facts = alertFacts(notification);
  const fields = facts.slice(0, MOST_FIELDS_IN_A_SECTION).map(({ label, value }) => ({
    type: 'mrkdwn',
    text: `*${label}*\n${escapedWithin(value, MOST_FIELD - 30)}`,
    verbatim: true,
  }));
  const rest = facts.slice(MOST_FIELDS_IN_A_SECTION).map(({ label, value }) => `${label} ${value}`);
  const context = plainLine([...rest, `alert ${notification.instanceId}`].join(' · '), 400);
  return {
    text: escapedWithin(alertSummary(notification, 1_000), 3_000),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: plainLine(alertTitle(notification), MOST_HEADER), emoji: false },
      },
      { type: 'section', fields },
      { type: 'context', elements: [{ type: 'mrkdwn', text: escapeForSlack(context), verbatim: true }] },
      ...linkBlocks(notification),
    ],
  };
}

/** An incoming webhook of Slack, or of a chat that takes the same message. */
export function createSlackSender(http: GuardedHttp): SendAlert<SlackChannel> {
  return (notification, channel, signal) =>
    http(
      {
        url: channel.url,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'holdfast-alerts/1' },
        body: JSON.stringify(slackMessage(notification)),
        secrets: [],
      },
      signal,
    );
}
