import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { ownPort } from '../run/ports.js'

/** A way to a server that can be broken and mended. */
export type TcpProxy = {
  port: number
  /** The address of the server, as it leads through the proxy. */
  address: string
  /** New connections are refused, and those there are end. */
  refuse: () => Promise<void>
  /** Ends the connections there are; new ones pass. */
  cut: () => void
  /** Connections are taken and stay, and nothing passes in either direction. */
  hang: () => void
  /** Everything passes again, what waited first. */
  mend: () => Promise<void>
  /**
   * Ends a connection instead of passing an answer of the server's that is
   * like this; null: passes all.
   */
  cutAnswers: (like: ((answer: Buffer) => boolean) | null) => void
  /** The same of what goes to the server. */
  cutRequests: (like: ((request: Buffer) => boolean) | null) => void
  end: () => Promise<void>
}

/** A TCP proxy before the server at an address of this machine. */
export async function startProxy(address: string): Promise<TcpProxy> {
  const { hostname, port: targetPort } = new URL(address)
  const pairs = new Set<[Socket, Socket]>()
  let hanging = false
  let isCut: ((answer: Buffer) => boolean) | null = null
  let isCutBefore: ((request: Buffer) => boolean) | null = null
  const server = createServer((near) => {
    const far = connect(Number(targetPort), hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    // Before the pipe, which then finds nothing to write to.
    far.on('data', (answer: Buffer) => isCut?.(answer) && end())
    near.on('data', (request: Buffer) => isCutBefore?.(request) && end())
    if (hanging) for (const socket of pair) socket.pause()
    if (!hanging) join(pair)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = () => {
    for (const [near] of pairs) near.destroy()
  }
  const refuse = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  const port = await ownPort()
  await listen(port)
  return {
    port,
    address: Object.assign(new URL(address), { host: `127.0.0.1:${port}` }).href,
    refuse,
    cut,
    hang: () => {
      hanging = true
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    mend: async () => {
      // What passes already, joined once more, would pass twice.
      if (hanging) for (const pair of pairs) join(pair)
      hanging = false
      if (!server.listening) await listen(port)
    },
    cutAnswers: (like) => {
      isCut = like
    },
    cutRequests: (like) => {
      isCutBefore = like
    },
    end: refuse,
  }
}

function join([near, far]: [Socket, Socket]): void {
  near.pipe(far)
  far.pipe(near)
}
