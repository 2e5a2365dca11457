import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import type { AddressPolicy } from './addressPolicy.js'
import { withDeadline } from './deadline.js'
import { type Failure, failureOf } from './networkFailure.js'
import { checkedAddresses, ForbiddenReceiver, receiverUrl, UnresolvableHost } from './receiverUrl.js'
import { type Resolve, resolveName } from './resolve.js'
import { secondsToWait } from './retryAfter.js'

/** A request; `body` is sent byte for byte. */
export type Outbound = { url: string; headers: Record<string, string>; body: Buffer }

/**
 * How a request ended: with an answer, or with a failure. `isWritten`: the whole request had
 * reached the connection, so that the receiver may have acted on it without an answer.
 */
export type HttpOutcome = (Answer | NoAnswer) & { isWritten: boolean; durationMs: number }

/** `after`: seconds the receiver asks us to wait. `body`: the first bytes, 64 KB and a chunk. */
type Answer = { code: number; failure: null; after?: number | undefined; body: Buffer }

/**
 * `failure`: a fixed word, because the error's text could tell a prober about inner addresses.
 * `stopped`: by `stop`, before the deadline. `errorCode`: of the system or of TLS, for words of our
 * own.
 */
type NoAnswer = {
  code: null
  failure: Failure | 'stopped' | typeof blockedAddress
  errorCode: string | null
}

/** The failure of a request to an address that its policy forbids (decision 4.9). */
export const blockedAddress = 'blocked address'

export type OutboundOptions = {
  /** Milliseconds for the whole request, to the last byte of the answer. */
  deadline: number
  /**
   * Which addresses may be dialled; `anywhere` for an address that the operator sets: everything
   * the system's resolver finds.
   */
  policy: AddressPolicy | 'anywhere'
  resolve?: Resolve
  /** Certificate authorities to trust instead of the system's. */
  ca?: string
  /** Ends the request at once, as its deadline does. */
  stop?: AbortSignal | undefined
}

/** Bytes of an answer that are read; then its status counts (decision 4.8). */
const answerBytes = 64 * 1024
/** Milliseconds for one of several addresses before the next is tried. */
const addressTimeout = 1_000

/**
 * POSTs once; never throws. Follows no redirect, uses no proxy, keeps no connection, decompresses
 * nothing, always verifies certificates, and dials only the checked addresses.
 */
export async function post(
  outbound: Outbound,
  { deadline, policy, resolve = resolveName, ca, stop }: OutboundOptions,
): Promise<HttpOutcome> {
  const began = performance.now()
  let isWritten = false
  const onWritten = () => {
    isWritten = true
  }
  const send = (signal: AbortSignal) =>
    exchange(outbound, { signal, policy, resolve, ca, onWritten }).catch((error: unknown): NoAnswer => {
      const cutShort = stop?.aborted ? 'stopped' : 'timeout'
      return { code: null, failure: signal.aborted ? cutShort : reasonOf(error), errorCode: codeOf(error) }
    })
  // One deadline for all: an idle timeout would restart with each byte of a slow receiver.
  const ending = await withDeadline(deadline, send, stop)
  return { ...ending, isWritten, durationMs: Math.round(performance.now() - began) }
}

type Exchange = Pick<OutboundOptions, 'policy'> & {
  signal: AbortSignal
  resolve: Resolve
  ca: string | undefined
  onWritten: () => void
}

/** The types of Node know these options of a socket only for net and tls. */
type FamilySelection = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

async function exchange({ url, headers, body }: Outbound, settings: Exchange): Promise<Answer> {
  const { policy, signal, ca, onWritten } = settings
  const target = policy === 'anywhere' ? new URL(url) : receiverUrl(url)
  const options: RequestOptions & FamilySelection = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.length },
    agent: false,
    signal,
    // Explicit, because an environment variable can switch it off.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeout,
    ...(ca === undefined ? {} : { ca }),
  }
  if (policy !== 'anywhere') options.lookup = lookupAmong(await checkedAddresses(target, policy, settings))
  const request = target.protocol === 'https:' ? overHttps(target, options) : overHttp(target, options)
  request.once('finish', onWritten)
  try {
    return await answerTo(request, body)
  } finally {
    request.destroy()
  }
}

/** The answer, once it has ended or enough of it is read. */
function answerTo(request: ClientRequest, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tls = watchHandshake(request)
    const fail = (error: Error) => reject(tls.isUnderWay() ? new HandshakeFailed(error) : error)
    request.on('error', fail)
    request.on('close', () => reject(new Error('closed')))
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve({ code: statusCode!, failure: null, body: Buffer.alloc(0) })
    })
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let read = 0
      const done = () =>
        resolve({
          code: response.statusCode!,
          failure: null,
          after: secondsToWait(response.headers['retry-after']),
          body: Buffer.concat(chunks),
        })
      response.on('data', (chunk: Buffer) => {
        if (read >= answerBytes) return
        chunks.push(chunk)
        read += chunk.length
        if (read >= answerBytes) done()
      })
      response.on('end', done)
      response.on('error', fail)
    })
    request.end(body)
  })
}

class HandshakeFailed extends Error {
  constructor(cause: Error) {
    super('TLS handshake failed', { cause })
  }
}

/** Between connecting and encryption, any error is the TLS handshake's. */
function watchHandshake(request: ClientRequest): { isUnderWay: () => boolean } {
  let underWay = false
  request.on('socket', (socket) => {
    socket.on('connect', () => {
      // A TLS socket has the property from its start, a plain one never.
      underWay = 'encrypted' in socket
    })
    socket.on('secureConnect', () => {
      underWay = false
    })
  })
  return { isUnderWay: () => underWay }
}

/** Resolves to the checked addresses, so that a second DNS answer cannot change them. */
function lookupAmong(addresses: LookupAddress[]): LookupFunction {
  return (_name, options, answer) => {
    if (options.all) answer(null, addresses)
    else answer(null, addresses[0]!.address, addresses[0]!.family)
  }
}

function reasonOf(error: unknown): NoAnswer['failure'] {
  if (error instanceof ForbiddenReceiver) return blockedAddress
  if (error instanceof UnresolvableHost) return 'dns'
  if (error instanceof HandshakeFailed) return 'tls'
  return failureOf(codeOf(error))
}

function codeOf(error: unknown): string | null {
  const { code } = (error instanceof HandshakeFailed ? error.cause : error) as NodeJS.ErrnoException
  return typeof code === 'string' ? code : null
}
