import {
  type AddressGuard,
  type ChannelConfiguration,
  createAddressGuard,
  createChannelSender,
  type OutboundSettings,
  type SendAlert,
} from '@holdfast/alerting';
import { ApiProblem } from '../problems/api-problem';

/** How long the look-up of a receiver's name may take before its channel is taken as it is. */
const LOOKUP_MS = 3_000;

/** What channels may reach, and how they are reached; an injection token too. */
export class ChannelReach {
  readonly send: SendAlert;
  private readonly guard: AddressGuard;

  constructor(readonly settings: OutboundSettings) {
    this.send = createChannelSender(settings);
    this.guard = createAddressGuard(settings);
  }

  /**
   * Throws RECEIVER_NOT_ALLOWED for an address that no channel may reach, and for a name that has no other. A name that
   * cannot be looked up now is taken: whoever sends checks again what it connects to.
   */
  async demandAllowed(configuration: ChannelConfiguration): Promise<void> {
    const receiver = receiverOf(configuration);
    if (receiver === undefined || (await this.isAllowed(receiver.host))) return;
    const message = 'leads to an address that channels may not reach';
    throw new ApiProblem('RECEIVER_NOT_ALLOWED', `${receiver.path}: ${message}`, {
      errors: [{ code: 'RECEIVER_NOT_ALLOWED', path: receiver.path, in: 'body', message }],
    });
  }

  private async isAllowed(host: string): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOOKUP_MS);
    });
    try {
      await Promise.race([this.guard.resolve(host), patience]);
      return true;
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'ADDRESS_NOT_ALLOWED');
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Receiver {
  readonly host: string;
  /** Where its name was entered. */
  readonly path: string;
}

function receiverOf(configuration: ChannelConfiguration): Receiver | undefined {
  if (configuration.kind === 'email') return { host: configuration.host, path: '/configuration/host' };
  const [field, url] =
    configuration.kind === 'pagerduty' ? ['events_url', configuration.events_url] : ['url', configuration.url];
  if (url === undefined) return undefined;
  const { hostname } = new URL(url);
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    path: `/configuration/${field}`,
  };
}
