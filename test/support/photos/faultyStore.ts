import { createServer, request, type ServerResponse } from 'node:http'
import { listenOnFreePort } from '../run/ports.js'

/**
 * How a store fails: it breaks the connection, never answers, answers with an error, stops or
 * breaks off in the middle of a body, or does what it was asked and its answer is lost.
 */
export type Fault = 'none' | 'reset' | 'hang' | 'stall' | 'cut' | 'lost' | { status: number; code: string }

/**
 * In front of a real store, and as faulty as a test says. `only`: the requests, by method
 * and path, it is faulty for.
 */
export async function faultyStore(upstream: string) {
  const state: { fault: Fault; only: RegExp; times: number; asked: string[] } = {
    fault: 'none',
    only: /./,
    times: Number.POSITIVE_INFINITY,
    asked: [],
  }
  const server = createServer((req, res) => {
    const what = `${req.method} ${req.url}`
    state.asked.push(what)
    const isFaulty = state.only.test(what) && state.times > 0
    if (isFaulty) state.times -= 1
    const fault = isFaulty ? state.fault : 'none'
    req.on('error', () => {})
    if (fault === 'reset') return void req.socket.destroy()
    if (fault === 'hang') return void req.resume()
    if (typeof fault === 'object') return refuse(res, fault)
    const { hostname, port } = new URL(upstream)
    // On a connection of its own: a kept one may end just when it is used again.
    const to = { hostname, port, agent: false }
    const asked = request({ ...to, method: req.method, path: req.url, headers: req.headers })
    asked.on('error', () => res.destroy())
    asked.on('response', async (answer) => {
      // A store that breaks off its answer, as while another replaces what it
      // reads, is passed on as it is.
      const parts = await answer.toArray().catch(() => null)
      if (parts === null || fault === 'lost') return res.destroy()
      const body = Buffer.concat(parts)
      res.writeHead(answer.statusCode!, answer.headers)
      if (fault === 'none') return res.end(req.method === 'HEAD' ? undefined : body)
      res.write(body.subarray(0, body.length / 2), () => fault === 'cut' && res.destroy())
    })
    req.pipe(asked)
  })
  const { origin: endpoint, stop } = await listenOnFreePort(server)
  return {
    endpoint,
    /** Requests so far, as "GET /bucket/key". */
    asked: () => state.asked,
    fail(fault: Fault, { only = /./, times = Number.POSITIVE_INFINITY } = {}) {
      Object.assign(state, { fault, only, times, asked: [] })
    },
    stop,
  }
}

function refuse(res: ServerResponse, { status, code }: { status: number; code: string }): void {
  res.writeHead(status, { 'content-type': 'application/xml' })
  res.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`)
}
