import { isIP } from 'node:net'

/** A range of addresses: `size` leading bits of `value` are the network's. */
export type Network = { family: 4 | 6; value: bigint; size: number }

/**
 * Where webhooks may go. `networks` are opened beside the public internet; `closedPorts` are our own service's and its
 * database's, which stay closed there: on the public internet such a port is somebody else's.
 */
export type AddressPolicy = { networks: readonly Network[]; closedPorts: ReadonlySet<number> }

/** IPv4 that is not globally reachable: the special-purpose registry, AS112, AMT, the 6to4 relays, multicast and above. */
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

/** IPv6 is given out from here; what lies outside (NAT64, compatible, local, multicast) is never dialled. */
const globalV6 = networksFrom(['2000::/3'])
/** And within: protocol assignments with Teredo, documentation, 6to4, AS112. */
const specialV6 = networksFrom([
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
])

/** Closed whatever an operator opens: "this network", link-local with the clouds' metadata services, multicast. */
const neverOpen = networksFrom([
  ...['0.0.0.0/8', '100.100.100.200', '169.254.0.0/16', '192.0.0.192', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::', 'fe80::/10', 'fd00:ec2::254', 'ff00::/8'],
])

const mapped = networksFrom(['::ffff:0:0/96'])

/** This machine itself: what the embedded default opens (decision 4.9). */
export const loopback = networksFrom(['127.0.0.0/8', '::1'])

/**
 * Whether webhooks may go to this address and port (decision 4.9). IPv4 inside IPv6 counts as what it is. Anything that
 * is not an address is refused.
 */
export function mayDial(address: string, port: number, policy: AddressPolicy): boolean {
  const parsed = parseAddress(address)
  if (!parsed) return false
  if (isPublic(parsed)) return true
  return isIn(parsed, policy.networks) && !isIn(parsed, neverOpen) && !policy.closedPorts.has(port)
}

/** Reads CIDRs and single addresses; throws with the one that is neither. */
export function networksFrom(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const [, base = '', size] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const address = parseBits(base)
    const bits = address?.family === 4 ? 32 : 128
    if (!address || Number(size ?? 0) > bits) throw new Error(`not a network: ${text}`)
    return { ...address, size: size === undefined ? bits : Number(size) }
  })
}

type Address = Pick<Network, 'family' | 'value'>

function isPublic(address: Address): boolean {
  if (address.family === 4) return !isIn(address, specialV4)
  return isIn(address, globalV6) && !isIn(address, specialV6)
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(({ family, value, size }) => {
    const rest = BigInt((family === 4 ? 32 : 128) - size)
    return family === address.family && address.value >> rest === value >> rest
  })
}

/** An address as the machine would dial it: one in ::ffff:0:0/96 goes out as IPv4. */
function parseAddress(text: string): Address | null {
  const address = parseBits(text)
  if (!address || !isIn(address, mapped)) return address
  return { family: 4, value: address.value & 0xffff_ffffn }
}

function parseBits(text: string): Address | null {
  const family = isIP(text)
  if (family === 4) return { family, value: fromGroups(text.split('.').map(Number), 8n) }
  // A zone (fe80::1%eth0) names an interface of this machine: never the way to somebody else.
  if (family !== 6 || text.includes('%')) return null
  return { family: 6, value: fromGroups(groupsOf(text), 16n) }
}

function fromGroups(groups: number[], bits: bigint): bigint {
  return groups.reduce((value, group) => (value << bits) | BigInt(group), 0n)
}

/** The eight groups of an IPv6 address that is known to be one. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::')
  const [before, after] = [hexGroups(head), hexGroups(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function hexGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
