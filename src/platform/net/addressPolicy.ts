import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The first address of a network, and the bits that all its addresses share. */
type Network = [Address, number]

/**
 * `networks` are allowed beside the public internet, except on `closedPorts`: our own service's and
 * database's ports, which on the public internet are someone else's and stay open.
 */
export type AddressPolicy = { networks: readonly Network[]; closedPorts: ReadonlySet<number> }

/** IPv6 is assigned from here; the rest (NAT64, compatible, local, multicast) is never dialled. */
const globalV6 = networksFrom(['2000::/3'])

/** Closed whatever the operator allows: "this network", link-local (cloud metadata), multicast. */
const neverOpen = networksFrom([
  '0.0.0.0/8',
  '100.100.100.200',
  '169.254.0.0/16',
  '192.0.0.192',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::',
  'fe80::/10',
  'fd00:ec2::254',
  'ff00::/8',
])

/**
 * For addresses that anyone may give: no network is opened, whatever the operator allows to staff.
 */
export const publicOnly: AddressPolicy = { networks: [], closedPorts: new Set() }

/** This machine: allowed by the embedded default (decision 4.9). */
export const loopback = networksFrom(['127.0.0.0/8', '::1'])

/**
 * Whether a request may go to this address and port (decision 4.9). IPv4 inside IPv6 is judged as
 * IPv4; text that is not an address is refused.
 */
export function mayDial(address: string, port: number, policy: AddressPolicy): boolean {
  const text = spelledOut(address)
  if (text === null) return false
  // An address in ::ffff:0:0/96 is dialled as the IPv4 address in it.
  const dialled = ipaddr.process(text)
  if (isOnPublicInternet(dialled)) return true
  return isIn(dialled, policy.networks) && !isIn(dialled, neverOpen) && !policy.closedPorts.has(port)
}

/** Parses CIDRs and single addresses. Throws, naming the first that is neither. */
export function networksFrom(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const [base = '', size, ...rest] = text.split('/')
    const address = spelledOut(base)
    const cidr = `${address}/${size ?? (isIP(base) === 4 ? 32 : 128)}`
    const isNetwork = address !== null && rest.length === 0 && ipaddr.isValidCIDR(cidr)
    if (!isNetwork) throw new Error(`not a network: ${text}`)
    return ipaddr.parseCIDR(cidr)
  })
}

/**
 * An address in the one spelling that the parser takes for what it is: of others it makes something
 * else (127.1, 0x7f000001; ::10.0.0.1 becomes ::ffff:10.0.0.1). Null for text that is no address,
 * and for one with a zone (fe80::1%eth0), which names an interface of this machine.
 */
function spelledOut(text: string): string | null {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return null
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1)
}

/** Whether anyone on the public internet answers there: no special purpose, and assigned. */
function isOnPublicInternet(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, globalV6))
}

/** `match` throws for a network of the other family, which holds none of this one's addresses. */
function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}
