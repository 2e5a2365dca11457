import { BlockList, isIP, SocketAddress } from 'node:net'

/** A range of addresses in one family. */
export type Network = { family: SocketAddress['family']; range: BlockList }

/**
 * `networks` are allowed beside the public internet, except on `closedPorts`: our own service's and
 * database's ports, which on the public internet are somebody else's and stay open.
 */
export type AddressPolicy = { networks: readonly Network[]; closedPorts: ReadonlySet<number> }

const anyV4 = new BlockList()
anyV4.addSubnet('0.0.0.0', 0)

/**
 * IPv4 not globally reachable: the special-purpose registry, AS112, AMT, 6to4 relays, multicast and
 * above.
 */
const specialV4 = networksFrom([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])

/** IPv6 is assigned from here; the rest (NAT64, compatible, local, multicast) is never dialled. */
const globalV6 = networksFrom(['2000::/3'])
/** Exceptions inside it: protocol assignments with Teredo, documentation, 6to4, AS112. */
const specialV6 = networksFrom([
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
])

/** Closed whatever the operator allows: "this network", link-local (cloud metadata), multicast. */
const neverOpen = networksFrom([
  ...['0.0.0.0/8', '100.100.100.200', '169.254.0.0/16', '192.0.0.192', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::', 'fe80::/10', 'fd00:ec2::254', 'ff00::/8'],
])

/**
 * For addresses that anybody may give: no network is opened, whatever the operator allows to staff.
 */
export const publicOnly: AddressPolicy = { networks: [], closedPorts: new Set() }

/** This machine: allowed by the embedded default (decision 4.9). */
export const loopback = networksFrom(['127.0.0.0/8', '::1'])

/**
 * Whether webhooks may go to this address and port (decision 4.9). IPv4 inside IPv6 is judged as
 * IPv4; text that is not an address is refused.
 */
export function mayDial(address: string, port: number, policy: AddressPolicy): boolean {
  const parsed = parseAddress(address)
  if (!parsed) return false
  if (isPublic(parsed)) return true
  return isIn(parsed, policy.networks) && !isIn(parsed, neverOpen) && !policy.closedPorts.has(port)
}

/** Parses CIDRs and single addresses. Throws, naming the first that is neither. */
export function networksFrom(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const [, base = '', size] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const address = parseBase(base)
    const bits = address?.family === 'ipv4' ? 32 : 128
    if (!address || Number(size ?? 0) > bits) throw new Error(`not a network: ${text}`)
    const range = new BlockList()
    range.addSubnet(address, Number(size ?? bits))
    return { family: address.family, range }
  })
}

/** `family` is the one dialled: an address in ::ffff:0:0/96 goes out as IPv4. */
type Address = { family: SocketAddress['family']; address: SocketAddress }

function isPublic(address: Address): boolean {
  if (address.family === 'ipv4') return !isIn(address, specialV4)
  return isIn(address, globalV6) && !isIn(address, specialV6)
}

/** Compares families, because a `BlockList` also finds IPv4 addresses in ::/0. */
function isIn({ family, address }: Address, networks: readonly Network[]): boolean {
  return networks.some((network) => network.family === family && network.range.check(address))
}

function parseAddress(text: string): Address | null {
  const address = parseBase(text)
  return address && { family: anyV4.check(address) ? 'ipv4' : 'ipv6', address }
}

function parseBase(text: string): SocketAddress | null {
  const family = isIP(text)
  // A zone (fe80::1%eth0) names an interface of this machine, so never a receiver elsewhere.
  if (family === 0 || text.includes('%')) return null
  return new SocketAddress({ address: text, family: `ipv${family as 4 | 6}` })
}
