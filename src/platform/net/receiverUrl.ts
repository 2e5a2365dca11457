import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { type AddressPolicy, mayDial } from './addressPolicy.js'
import { type Resolve, resolveName } from './resolve.js'

/** A problem with a receiver's URL, as a key of the catalogue's `fields`. */
type UrlProblem = 'url_invalid' | 'url_scheme' | 'url_credentials' | 'url_port' | 'url_blocked'

/** The URL is of no receiver we send to: by its form, or by an address its name has. */
export class ForbiddenReceiver extends Error {
  constructor(readonly problem: UrlProblem) {
    super(problem)
    this.name = 'ForbiddenReceiver'
  }
}

/** The name has no address, at least for now. */
export class UnresolvableHost extends Error {}

/** Milliseconds that saving a URL may wait for DNS. */
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
    if (error instanceof UnresolvableHost) return null
    if (error instanceof ForbiddenReceiver) return error.problem
    throw error
  }
}

/** The parsed URL. Throws ForbiddenReceiver when its form alone rules it out. */
export function receiverUrl(text: string): URL {
  // The parser would drop tabs and line breaks: the stored URL would then not be the one dialled.
  const url = URL.canParse(text) && !/[\s\p{C}]/u.test(text) ? new URL(text) : null
  if (!url) throw new ForbiddenReceiver('url_invalid')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ForbiddenReceiver('url_scheme')
  if (!/^\w+:\/\//.test(text)) throw new ForbiddenReceiver('url_invalid')
  if (url.username || url.password) throw new ForbiddenReceiver('url_credentials')
  const port = portOf(url)
  // Ports below 1024 belong to email, shells and file shares, which must not receive HTTP requests.
  if (port < 1024 && port !== 80 && port !== 443) throw new ForbiddenReceiver('url_port')
  return url
}

/**
 * The addresses to dial. A single forbidden address refuses them all, so that no order of trying
 * can reach it. Throws ForbiddenReceiver or UnresolvableHost.
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
  if (!addresses.every(({ address }) => mayDial(address, port, policy)))
    throw new ForbiddenReceiver('url_blocked')
  return addresses
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

async function resolveHost(host: string, signal: AbortSignal, resolve: Resolve): Promise<LookupAddress[]> {
  const addresses = await Promise.race([resolve(host, signal), aborted(signal)]).catch(() => [])
  if (addresses.length === 0) throw new UnresolvableHost(host)
  return addresses
}

/** For racing against the system's resolver, which cannot be cancelled and runs on. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
