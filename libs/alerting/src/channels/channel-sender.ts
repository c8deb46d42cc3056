import { createGuardedHttp } from '../outbound/guarded-http';
import type { OutboundSettings } from '../outbound/outbound-settings';
import { createAlertmanagerSender } from './alertmanager';
import { createEmailSender } from './email';
import { createPagerDutySender } from './pagerduty';
import type { SendAlert } from './send-alert';
import { createSlackSender } from './slack';
import { createWebhookSender } from './webhook';

/** One sender for channels of every kind, with one guard for all of them. Throws only for settings that are wrong. */
export function createChannelSender(settings: OutboundSettings): SendAlert {
  const http = createGuardedHttp(settings);
  const webhook = createWebhookSender(http);
  const slack = createSlackSender(http);
  const pagerDuty = createPagerDutySender(http);
  const alertmanager = createAlertmanagerSender(http);
  const email = createEmailSender(settings);
  return (notification, channel, signal) => {
    switch (channel.kind) {
      case 'webhook':
        return webhook(notification, channel, signal);
      case 'slack':
        return slack(notification, channel, signal);
      case 'pagerduty':
        return pagerDuty(notification, channel, signal);
      case 'alertmanager':
        return alertmanager(notification, channel, signal);
      case 'email':
        return email(notification, channel, signal);
    }
  };
}
