import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './ratios.js'

/**
 * What to ask for in a slice of load: a raw request, so that the client costs as little as it can.
 */
export type Load = {
  port: number
  request: string | (() => string)
  connections: number
  ms: number
  /** Milliseconds between an answer and the next request of its connection. */
  pause?: number
}

export type Measured = { perSecond: number; latencies: number[]; statuses: Map<number, number> }

/**
 * Keeps `connections` busy with one request each for `ms` and counts the answers. Loopback only,
 * ends by itself.
 */
export async function load({ port, request, connections, ms, pause }: Load): Promise<Measured> {
  const measured: Measured = { perSecond: 0, latencies: [], statuses: new Map() }
  const began = performance.now()
  const until = began + ms
  await Promise.all(
    Array.from({ length: connections }, () => oneConnection({ port, request, pause }, until, measured)),
  )
  measured.perSecond = measured.latencies.length / ((performance.now() - began) / 1000)
  return measured
}

/**
 * The 99th percentile of milliseconds to the status, of four readers who ask again 10 ms after each
 * answer.
 */
export async function statusP99(port: number, ms: number): Promise<number> {
  const request = 'GET /api/status HTTP/1.1\r\nHost: bench\r\n\r\n'
  const { latencies } = await load({ port, request, connections: 4, ms, pause: 10 })
  return quantile(latencies, 0.99)
}

async function oneConnection(
  { port, request, pause }: Pick<Load, 'port' | 'request'> & { pause: number | undefined },
  until: number,
  measured: Measured,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const read = reader(socket)
  while (performance.now() < until) {
    const sent = performance.now()
    socket.write(typeof request === 'string' ? request : request())
    const status = await read()
    measured.latencies.push(performance.now() - sent)
    measured.statuses.set(status, (measured.statuses.get(status) ?? 0) + 1)
    if (pause) await sleep(pause)
  }
  socket.destroy()
}

/** Waits for one whole answer at a time; resolves to its status. */
function reader(socket: Socket): () => Promise<number> {
  let have = Buffer.alloc(0)
  let waiting: ((status: number) => void) | null = null
  const check = () => {
    const end = have.indexOf('\r\n\r\n')
    if (end < 0 || !waiting) return
    const head = have.toString('latin1', 0, end)
    const status = Number(head.slice(9, 12))
    const length =
      status === 304 || status === 204 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (have.length < end + 4 + length) return
    have = have.subarray(end + 4 + length)
    const answer = waiting
    waiting = null
    answer(status)
  }
  socket.on('data', (chunk) => {
    have = have.length === 0 ? chunk : Buffer.concat([have, chunk])
    check()
  })
  let refuse: ((error: Error) => void) | null = null
  socket.on('close', () => refuse?.(new Error('the server closed the connection')))
  return () =>
    new Promise((resolve, reject) => {
      waiting = resolve
      refuse = reject
      check()
    })
}

/**
 * Answers per second to one constant request whose answers are all of one length: counted by bytes,
 * so that the client costs next to nothing and the server is what is measured. Where an answer
 * turns out shorter, its connection waits for bytes that never come and ends a second after the
 * slice: the caller looks whether the answer changed.
 */
export async function throughput({
  port,
  request,
  connections,
  ms,
}: Load & { request: string }): Promise<number> {
  const length = await lengthOf(port, request)
  let answers = 0
  const began = performance.now()
  const until = began + ms
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let received = 0
      let giveUp: NodeJS.Timeout | undefined
      await new Promise<void>((resolve, reject) => {
        giveUp = setTimeout(resolve, ms + 1_000)
        socket.once('error', reject)
        socket.on('data', (chunk) => {
          received += chunk.length
          if (received < length) return
          received -= length
          answers += 1
          if (performance.now() < until) socket.write(request)
          else resolve()
        })
        socket.write(request)
      })
      clearTimeout(giveUp)
      socket.destroy()
    }),
  )
  return answers / ((performance.now() - began) / 1000)
}

async function lengthOf(port: number, request: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.write(request)
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    let quiet: NodeJS.Timeout | undefined
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      bytes += chunk.length
      clearTimeout(quiet)
      quiet = setTimeout(resolve, 100)
    })
  })
  socket.destroy()
  return bytes
}
