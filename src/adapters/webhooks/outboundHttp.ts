import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { config } from '../../config.js'
import { type AddressPolicy, loopback, networksFrom } from './outboundAddress.js'
import { type Resolve, resolveName } from './outboundNames.js'
import { Blocked, checkedAddresses, receiverUrl, Unresolved } from './outboundUrl.js'

/** What to send: `body` goes out as exactly these bytes. */
export type Outbound = { url: string; headers: Record<string, string>; body: Buffer }

/** How it went: the status number as text, or `failed: ` and one of a few words; never a word of the receiver's. */
export type HttpOutcome = { status: string; durationMs: number }

const blocked = 'blocked address'
/** The status of a delivery to an address that webhooks do not go to (decision 4.9). */
export const blockedAddress = `failed: ${blocked}`

export type OutboundOptions = {
  /** Milliseconds from now to the last byte of the answer. */
  deadline?: number
  policy?: AddressPolicy
  resolve?: Resolve
  /** Certificates to trust instead of the usual ones. */
  ca?: string
}

/** Wall-clock milliseconds a delivery may take from beginning to end (spec §6 rule 5, §8; decision 4.8). */
const deliveryTimeout = 5_000
/** Bytes of an answer that are read before its status alone must do (decision 4.8). */
const answerBytes = 64 * 1024
/** Milliseconds one of several addresses has to answer before the next is tried. */
const addressTimeout = 1_000

/** The networks this deployment lets webhooks into; this machine is one for trying things out only (decision 4.9). */
const networks = [
  ...openedNetworks(config.webhookAllowedNetworks),
  ...(config.embedded && !config.production ? loopback : []),
]

/** What this deployment allows; `databasePort` is closed beside our own. */
export function outboundPolicy(databasePort: number | null): AddressPolicy {
  const named = config.databaseUrl ? Number(new URL(config.databaseUrl).port || 5432) : null
  return {
    networks,
    closedPorts: new Set([config.port, named, databasePort].filter((port) => port !== null)),
  }
}

/**
 * POSTs once and reports how it went; never throws. No redirect is followed, no proxy asked, no connection kept, nothing
 * decompressed; certificates are always verified. The addresses checked are the ones dialled.
 */
export async function post(
  outbound: Outbound,
  {
    deadline = deliveryTimeout,
    policy = outboundPolicy(null),
    resolve = resolveName,
    ca,
  }: OutboundOptions = {},
): Promise<HttpOutcome> {
  const began = performance.now()
  const abort = new AbortController()
  // One timer for everything: an idle timeout starts anew with each byte a slow receiver spares us.
  const timer = setTimeout(() => abort.abort(), deadline)
  const { signal } = abort
  const status = await exchange(outbound, { signal, policy, resolve, ca }).catch((error: unknown) =>
    signal.aborted ? 'failed: timeout' : `failed: ${reason(error)}`,
  )
  clearTimeout(timer)
  return { status, durationMs: Math.round(performance.now() - began) }
}

type Exchange = { signal: AbortSignal; policy: AddressPolicy; resolve: Resolve; ca: string | undefined }

async function exchange({ url, headers, body }: Outbound, given: Exchange): Promise<string> {
  const target = receiverUrl(url)
  const addresses = await checkedAddresses(target, given.policy, given)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.length },
    agent: false,
    signal: given.signal,
    lookup: always(addresses),
    // Said outright, because a variable of the process's environment could say otherwise.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressTimeout },
    ...(given.ca === undefined ? {} : { ca: given.ca }),
  }
  const request = target.protocol === 'https:' ? overHttps(target, options) : overHttp(target, options)
  try {
    return await answerTo(request, body)
  } finally {
    request.destroy()
  }
}

/** The status of the answer, once it has ended or enough of it has been read. */
function answerTo(request: ClientRequest, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const tls = watchHandshake(request)
    const fail = (error: Error) => reject(tls.isUnderWay() ? new HandshakeFailed() : error)
    request.on('error', fail)
    request.on('close', () => reject(new Error('closed')))
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(String(statusCode))
    })
    request.on('response', (response) => {
      let read = 0
      const done = () => resolve(String(response.statusCode))
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

/** Between the connection and its encryption, whatever goes wrong is the handshake's. */
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

/** Answers every question with the addresses that were checked, so that no second answer can bring others. */
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

/** One of our own words for what went wrong: a receiver's, or an address inside, would tell a prober something. */
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
