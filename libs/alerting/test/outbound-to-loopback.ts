import { DEFAULT_OUTBOUND_SETTINGS, type OutboundSettings } from '../src/outbound/outbound-settings';

/** Settings of an operator whose receivers run on the same machine. */
export const OUTBOUND_TO_LOOPBACK: OutboundSettings = {
  ...DEFAULT_OUTBOUND_SETTINGS,
  allowedCidrs: ['127.0.0.0/8'],
  allowPlainHttp: true,
  allowedPorts: 'any',
  allowedMailPorts: 'any',
  deadlineMs: 5_000,
};
