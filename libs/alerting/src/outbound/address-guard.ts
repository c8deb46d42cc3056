import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { OutboundSettings } from './outbound-settings';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Metadata and platform services of clouds: no setting opens them, whatever networks are allowed. */
const NEVER_REACHED = new Set(
  ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'].map(
    (address) => ipaddr.process(address).toNormalizedString(),
  ),
);

/** What is routed publicly in IPv6. Outside of it lie addresses that carry an IPv4 address within (`::8.8.8.8`). */
const GLOBAL_UNICAST_V6: Network = ipaddr.parseCIDR('2000::/3');

/** Thrown inside a lookup, where only an error stops the connection. */
export class AddressNotAllowedError extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';
}

function liesIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The IPv4 address that a translator or a tunnel would take an IPv6 address to. */
function tunnelledIpv4(address: Address): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4') return null;
  const bytes = address.toByteArray();
  switch (address.range()) {
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6));
    case 'teredo':
      return new ipaddr.IPv4(bytes.slice(12, 16).map((byte) => byte ^ 0xff));
    case 'rfc6052':
    case 'rfc6145':
      return new ipaddr.IPv4(bytes.slice(12, 16));
    default:
      return null;
  }
}

/** Decides for each address whether a channel may reach it. */
export interface AddressGuard {
  allows(address: string): boolean;
  /** Resolves the name and keeps the allowed addresses; throws {@link AddressNotAllowedError} when none is. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** For `net.connect`: the connection goes to an address that was checked, never to a second look-up of the name. */
  readonly lookup: LookupFunction;
}

function allowedNetworks(cidrs: readonly string[]): Network[] {
  return cidrs.map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`"${cidr}" is no network in CIDR notation.`);
    return ipaddr.parseCIDR(cidr);
  });
}

export function createAddressGuard(
  settings: Pick<OutboundSettings, 'allowedCidrs' | 'resolveAddresses'>,
): AddressGuard {
  const networks = allowedNetworks(settings.allowedCidrs);

  function allowsParsed(address: Address): boolean {
    if (NEVER_REACHED.has(address.toNormalizedString())) return false;
    const tunnelled = tunnelledIpv4(address);
    if (tunnelled !== null && !allowsParsed(tunnelled)) return false;
    if (networks.some((network) => liesIn(address, network))) return true;
    if (address.range() !== 'unicast') return false;
    return address.kind() === 'ipv4' || liesIn(address, GLOBAL_UNICAST_V6);
  }

  const guard: AddressGuard = {
    allows: (address) => isIP(address) !== 0 && allowsParsed(ipaddr.process(address)),

    async resolve(hostname) {
      const addresses = isIP(hostname) === 0 ? await settings.resolveAddresses(hostname) : [hostname];
      const allowed = addresses.filter((address) => guard.allows(address));
      if (allowed.length === 0 && addresses.length > 0) {
        throw new AddressNotAllowedError('No address of the receiver may be reached.');
      }
      return allowed;
    },

    lookup: (hostname, options, callback) => {
      guard.resolve(hostname).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first] = found;
          if (first === undefined) {
            callback(Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }), '');
          } else if (options.all === true) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error('The name was not resolved.'), ''),
      );
    },
  };
  return guard;
}
