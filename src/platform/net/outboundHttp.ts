import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import { config } from '../process/config.js'
import { secondsToWait } from './boundedFetch.js'
import { withDeadline } from './deadline.js'
import {
  type AddressPolicy,
  Blocked,
  checkedAddresses,
  loopback,
  networksFrom,
  type Resolve,
  receiverUrl,
  resolveName,
  Unresolved,
} from './outboundUrl.js'

/** A request; `body` is sent byte for byte. */
export type Outbound = { url: string; headers: Record<string, string>; body: Buffer }

/**
 * `status`: the HTTP status as text, or `failed: ` and a fixed word; never the receiver's text.
 * `after`: seconds it asks us to wait. `isWritten`: the whole request had reached the connection,
 * so that the receiver may have acted on it without an answer.
 */
export type HttpOutcome = {
  status: string
  durationMs: number
  isWritten: boolean
  after?: number | undefined
}
type Answered = Pick<HttpOutcome, 'status' | 'after'>

const blocked = 'blocked address'
/** The status of a delivery to a blocked address (decision 4.9). */
export const blockedAddress = `failed: ${blocked}`

export type OutboundOptions = {
  /** Milliseconds for the whole delivery, to the last byte of the answer. */
  deadline?: number
  policy?: AddressPolicy
  resolve?: Resolve
  /** Certificate authorities to trust instead of the system's. */
  ca?: string
  /** Ends the delivery at once, as its deadline does. */
  stop?: AbortSignal | undefined
}

/** Wall-clock milliseconds for a whole delivery (spec §6 rule 5, §8; decision 4.8). */
const deliveryTimeout = 5_000
/** Bytes of an answer that are read; then its status counts (decision 4.8). */
const answerBytes = 64 * 1024
/** Milliseconds for one of several addresses before the next is tried. */
const addressTimeout = 1_000

/**
 * Networks this deployment opens for webhooks; this machine only in a trial setup (decision 4.9).
 */
const networks = [
  ...openedNetworks(config.webhookAllowedNetworks),
  ...(config.embedded && !config.production ? loopback : []),
]

/** This deployment's policy; `databasePort` is closed beside our own. */
export function outboundPolicy(databasePort: number | null): AddressPolicy {
  const configuredPort = config.databaseUrl ? Number(new URL(config.databaseUrl).port || 5432) : null
  return {
    networks,
    closedPorts: new Set([config.port, configuredPort, databasePort].filter((port) => port !== null)),
  }
}

/**
 * POSTs once; never throws. Follows no redirect, uses no proxy, keeps no connection, decompresses
 * nothing, always verifies certificates, and dials only the checked addresses.
 */
export async function post(
  outbound: Outbound,
  {
    deadline = deliveryTimeout,
    policy = outboundPolicy(null),
    resolve = resolveName,
    ca,
    stop,
  }: OutboundOptions = {},
): Promise<HttpOutcome> {
  const began = performance.now()
  // One deadline for all: an idle timeout would restart with each byte of a slow receiver.
  let isWritten = false
  const written = () => {
    isWritten = true
  }
  const act = (signal: AbortSignal) =>
    exchange(outbound, { signal, policy, resolve, ca, written }).catch((error: unknown) => ({
      status: signal.aborted ? 'failed: timeout' : `failed: ${reason(error)}`,
    }))
  const answered = await withDeadline(deadline, act, stop)
  return { ...answered, isWritten, durationMs: Math.round(performance.now() - began) }
}

type Exchange = {
  signal: AbortSignal
  policy: AddressPolicy
  resolve: Resolve
  ca: string | undefined
  written: () => void
}

/** The types of Node know these options of a socket only for net and tls. */
type FamilySelection = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

async function exchange({ url, headers, body }: Outbound, settings: Exchange): Promise<Answered> {
  const target = receiverUrl(url)
  const addresses = await checkedAddresses(target, settings.policy, settings)
  const options: RequestOptions & FamilySelection = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.length },
    agent: false,
    signal: settings.signal,
    lookup: always(addresses),
    // Explicit, because an environment variable can switch it off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeout,
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
  }
  const request = target.protocol === 'https:' ? overHttps(target, options) : overHttp(target, options)
  request.once('finish', settings.written)
  try {
    return await answerTo(request, body)
  } finally {
    request.destroy()
  }
}

/** The status, once the answer has ended or enough of it is read. */
function answerTo(request: ClientRequest, body: Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const tls = watchHandshake(request)
    const fail = (error: Error) => reject(tls.isUnderWay() ? new HandshakeFailed() : error)
    request.on('error', fail)
    request.on('close', () => reject(new Error('closed')))
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve({ status: String(statusCode) })
    })
    request.on('response', (response) => {
      let read = 0
      const status = String(response.statusCode)
      const done = () => resolve({ status, after: secondsToWait(response.headers['retry-after']) })
      response.on('data', (chunk: Buffer) => {
        read += chunk.length
        if (read >= answerBytes) done()
      })
      response.on('end', done)
      response.on('error', fail)
    })
    request.end(body)
  })
}

class HandshakeFailed extends Error {}

/** Between connecting and encryption, any error is the TLS handshake's. */
function watchHandshake(request: ClientRequest): { isUnderWay: () => boolean } {
  let underWay = false
  request.on('socket', (socket) => {
    socket.on('connect', () => {
      underWay = 'encrypted' in socket
    })
    socket.on('secureConnect', () => {
      underWay = false
    })
  })
  return { isUnderWay: () => underWay }
}

/** Resolves to the checked addresses, so that a second DNS answer cannot change them. */
function always(addresses: LookupAddress[]): LookupFunction {
  return (_name, options, answer) => {
    if (options.all) answer(null, addresses)
    else answer(null, addresses[0]!.address, addresses[0]!.family)
  }
}

const words: [RegExp, string][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)/, 'refused'],
  [/^ETIMEDOUT/, 'timeout'],
  [/^HPE_/, 'bad answer'],
]

/** A fixed word for the error: the original text could tell a prober about inner addresses. */
function reason(error: unknown): string {
  if (error instanceof Blocked) return blocked
  if (error instanceof Unresolved) return 'dns'
  if (error instanceof HandshakeFailed) return 'tls'
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  return words.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset'
}

function openedNetworks(texts: readonly string[]) {
  try {
    return networksFrom(texts)
  } catch (error) {
    throw new Error(`WEBHOOK_ALLOWED_NETWORKS: ${(error as Error).message}`)
  }
}
