import type { AlertNotification } from '../alert-notification';
import { alertFacts, alertTitle } from './alert-wording';
import { plainLine, plainLink } from './plain-line';

export interface EmailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

interface Link {
  readonly label: string;
  readonly url: string;
}

function linksOf(notification: AlertNotification): Link[] {
  const links = [
    { label: 'Open in Holdfast', url: plainLink(notification.dashboardUrl) },
    { label: 'Runbook', url: plainLink(notification.runbookUrl) },
  ];
  return links.flatMap(({ label, url }) => (url === null ? [] : [{ label, url }]));
}

/** The same words as plain text and as a small page without images, scripts or anything fetched. */
export function emailMessage(notification: AlertNotification): EmailMessage {
  const title = alertTitle(notification);
  const facts = alertFacts(notification);
  const links = linksOf(notification);
  const agent = notification.agentId === null ? '' : ` (${notification.agentId})`;
  const footer = `Alert ${plainLine(notification.instanceId, 200)}`;
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" valign="top">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const anchors = links.map(({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`);
  return {
    subject: plainLine(`[Holdfast] ${title}${agent}`, 200),
    text: [
      title,
      '',
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      '',
      ...links.map(({ label, url }) => `${label}: ${url}`),
      footer,
      '',
    ].join('\n'),
    html: [
      '<!doctype html><html><body>',
      `<h2>${escapeHtml(title)}</h2>`,
      `<table cellpadding="4">${rows.join('')}</table>`,
      ...anchors,
      `<p>${escapeHtml(footer)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
