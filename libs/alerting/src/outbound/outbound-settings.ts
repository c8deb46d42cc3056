import { lookup } from 'node:dns/promises';

/** Every address of a name, as the system's resolver knows it. Throws when there is none. */
export type AddressResolver = (hostname: string) => Promise<readonly string[]>;

/** What the operator of the platform allows channels to reach. */
export interface OutboundSettings {
  /** Networks that may be reached besides public addresses, for receivers of one's own: `10.20.0.0/16`. */
  readonly allowedCidrs: readonly string[];
  readonly allowPlainHttp: boolean;
  readonly allowedPorts: readonly number[] | 'any';
  /** Mail without TLS. With it off, a server that does not offer STARTTLS gets no mail. */
  readonly allowPlainSmtp: boolean;
  readonly allowedMailPorts: readonly number[] | 'any';
  /** Over everything: name, connection, TLS, request and answer. */
  readonly deadlineMs: number;
  /** PEM certificates of authorities of one's own, trusted besides the public ones. */
  readonly trustedCertificates: readonly string[];
  readonly resolveAddresses: AddressResolver;
}

async function systemAddresses(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** Public addresses by TLS only. */
export const DEFAULT_OUTBOUND_SETTINGS: OutboundSettings = {
  allowedCidrs: [],
  allowPlainHttp: false,
  allowedPorts: [443],
  allowPlainSmtp: false,
  allowedMailPorts: [25, 465, 587, 2525],
  deadlineMs: 15_000,
  trustedCertificates: [],
  resolveAddresses: systemAddresses,
};

/** What an operator may allow besides {@link DEFAULT_OUTBOUND_SETTINGS}. */
export interface OperatorAllowances {
  readonly allowedCidrs: readonly string[];
  /** Besides the usual ones, for HTTP and for mail. */
  readonly allowedPorts: readonly number[] | 'any';
  readonly allowPlainHttp: boolean;
  readonly allowPlainSmtp: boolean;
}

function portsWith(
  usual: OutboundSettings['allowedPorts'],
  more: OperatorAllowances['allowedPorts'],
): OutboundSettings['allowedPorts'] {
  return usual === 'any' || more === 'any' ? 'any' : [...usual, ...more];
}

/** The settings of every process that sends, from what its operator allows. */
export function outboundSettings({
  allowedCidrs,
  allowedPorts,
  allowPlainHttp,
  allowPlainSmtp,
}: OperatorAllowances): OutboundSettings {
  return {
    ...DEFAULT_OUTBOUND_SETTINGS,
    ...{ allowedCidrs, allowPlainHttp, allowPlainSmtp },
    allowedPorts: portsWith(DEFAULT_OUTBOUND_SETTINGS.allowedPorts, allowedPorts),
    allowedMailPorts: portsWith(DEFAULT_OUTBOUND_SETTINGS.allowedMailPorts, allowedPorts),
  };
}
