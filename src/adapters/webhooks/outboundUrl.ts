import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { type AddressPolicy, mayDial } from './outboundAddress.js'
import { type Resolve, resolveName } from './outboundNames.js'

/** What is wrong with a receiver's address, as a key of the catalogue's `fields` texts. */
export type UrlProblem = 'url_invalid' | 'url_scheme' | 'url_credentials' | 'url_port' | 'url_blocked'

/** An address webhooks do not go to. */
export class Blocked extends Error {
  constructor(readonly problem: UrlProblem) {
    super(problem)
    this.name = 'Blocked'
  }
}

/** A name nobody knows an address of, or not now. */
export class Unresolved extends Error {}

/** Longest a name may keep the person waiting who saves a subscription, in ms. */
const waitAtSave = 2_000

/**
 * Checks a receiver's address before it is stored (decision 4.9); null when it may be. A name that does not resolve, or
 * not in time, may be stored: its receiver may be on its way, and every delivery checks again.
 */
export async function urlProblem(
  text: string,
  policy: AddressPolicy,
  resolve: Resolve = resolveName,
): Promise<UrlProblem | null> {
  try {
    await checkedAddresses(receiverUrl(text), policy, { resolve, signal: AbortSignal.timeout(waitAtSave) })
    return null
  } catch (error) {
    if (error instanceof Unresolved) return null
    if (error instanceof Blocked) return error.problem
    throw error
  }
}

/** The address as programs read it; throws Blocked when its form alone rules it out. */
export function receiverUrl(text: string): URL {
  // The parser would drop tabs and line breaks: then what is stored is not what is dialled.
  const url = URL.canParse(text) && !/[\s\p{C}]/u.test(text) ? new URL(text) : null
  if (!url) throw new Blocked('url_invalid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Blocked('url_scheme')
  if (!/^\w+:\/\//.test(text)) throw new Blocked('url_invalid')
  if (url.username || url.password) throw new Blocked('url_credentials')
  const port = portOf(url)
  // Below 1024 live mail, shells and shares: an HTTP request is not what they wait for.
  if (port < 1024 && port !== 80 && port !== 443) throw new Blocked('url_port')
  return url
}

/**
 * The addresses to dial, every one of them allowed: one bad address refuses the whole answer, so that no order of trying
 * can reach it. Throws Blocked or Unresolved.
 */
export async function checkedAddresses(
  url: URL,
  policy: AddressPolicy,
  { resolve, signal }: { resolve: Resolve; signal: AbortSignal },
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await named(host, signal, resolve)
  const port = portOf(url)
  if (!addresses.every(({ address }) => mayDial(address, port, policy))) throw new Blocked('url_blocked')
  return addresses
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

async function named(host: string, signal: AbortSignal, resolve: Resolve): Promise<LookupAddress[]> {
  const found = await Promise.race([resolve(host, signal), aborted(signal)]).catch(() => [])
  if (found.length === 0) throw new Unresolved(host)
  return found
}

/** The system's resolver cannot be told to stop: then it is left to itself. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
