import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { limitConcurrency } from '../process/limitConcurrency.js'

/** A host name's addresses; rejects when there are none, or with `signal`'s reason once aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/**
 * Milliseconds and tries per query: if both are lost, a 5 s delivery still has time to report it.
 */
const patience = { timeout: 1_000, tries: 2 }

/** The system's resolver blocks a thread; photos and passwords need the other threads. */
const system = limitConcurrency({ atOnce: 1, waiting: 8 })

/** Errors after which the system's resolver is asked. */
const unknown = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME'])

/**
 * Asks DNS servers without blocking a thread, so that dead names do not hold up others; then the
 * system's resolver, which reads the hosts file. `servers` replace the system's.
 */
export function resolveWith(servers?: string[]): Resolve {
  return async (name, signal) => {
    const bare = name.replace(/\.$/, '').toLowerCase()
    if (bare === 'localhost' || bare.endsWith('.localhost')) return here
    return ask(bare, signal, servers).catch((error: NodeJS.ErrnoException) => {
      if (!unknown.has(error.code ?? '')) throw error
      return system(async () => (signal.aborted ? [] : dns.lookup(bare, { all: true, verbatim: true })))
    })
  }
}

/** Asks the system's DNS servers. */
export const resolveName = resolveWith()

const here: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function ask(name: string, signal: AbortSignal, servers?: string[]): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver(patience)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason
    return addresses.map((address) => ({ address, family: isIP(address) }))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

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
 * Whether webhooks may go to this address and port (decision 4.9). IPv4 inside IPv6 is judged as
 * IPv4; text that is not an address is refused.
 */
export function mayDial(address: string, port: number, policy: AddressPolicy): boolean {
  const text = spelledOut(address)
  if (text === null) return false
  // An address in ::ffff:0:0/96 is dialled as the IPv4 address in it.
  const dialled = ipaddr.process(text)
  if (isPublic(dialled)) return true
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
function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, globalV6))
}

/** `match` throws for a network of the other family, which holds none of this one's addresses. */
function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

/** A problem with a receiver's URL, as a key of the catalogue's `fields`. */
type UrlProblem = 'url_invalid' | 'url_scheme' | 'url_credentials' | 'url_port' | 'url_blocked'

/** The URL is not allowed for webhooks. */
export class Blocked extends Error {
  constructor(readonly problem: UrlProblem) {
    super(problem)
    this.name = 'Blocked'
  }
}

/** The name has no address, at least for now. */
export class Unresolved extends Error {}

/** Milliseconds that saving a subscription may wait for DNS. */
const waitAtSave = 2_000

/**
 * Checks a receiver's URL before it is stored (decision 4.9); null when allowed. A name that does
 * not resolve in time is allowed: its host may come later, and every delivery checks again.
 */
export async function urlProblem(
  text: string,
  policy: AddressPolicy,
  resolve: Resolve = resolveName,
  wait = waitAtSave,
): Promise<UrlProblem | null> {
  try {
    await checkedAddresses(receiverUrl(text), policy, { resolve, signal: AbortSignal.timeout(wait) })
    return null
  } catch (error) {
    if (error instanceof Unresolved) return null
    if (error instanceof Blocked) return error.problem
    throw error
  }
}

/** The parsed URL. Throws Blocked when its form alone rules it out. */
export function receiverUrl(text: string): URL {
  // The parser would drop tabs and line breaks: the stored URL would then not be the one dialled.
  const url = URL.canParse(text) && !/[\s\p{C}]/u.test(text) ? new URL(text) : null
  if (!url) throw new Blocked('url_invalid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Blocked('url_scheme')
  if (!/^\w+:\/\//.test(text)) throw new Blocked('url_invalid')
  if (url.username || url.password) throw new Blocked('url_credentials')
  const port = portOf(url)
  // Ports below 1024 belong to email, shells and file shares, which must not receive HTTP requests.
  if (port < 1024 && port !== 80 && port !== 443) throw new Blocked('url_port')
  return url
}

/**
 * The addresses to dial. A single forbidden address refuses them all, so that no order of trying
 * can reach it. Throws Blocked or Unresolved.
 */
export async function checkedAddresses(
  url: URL,
  policy: AddressPolicy,
  { resolve, signal }: { resolve: Resolve; signal: AbortSignal },
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await resolveHost(host, signal, resolve)
  const port = portOf(url)
  if (!addresses.every(({ address }) => mayDial(address, port, policy))) throw new Blocked('url_blocked')
  return addresses
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

async function resolveHost(host: string, signal: AbortSignal, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await Promise.race([resolve(host, signal), aborted(signal)]).catch(() => [])
  if (addresses.length === 0) throw new Unresolved(host)
  return addresses
}

/** For racing against the system's resolver, which cannot be cancelled and runs on. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
