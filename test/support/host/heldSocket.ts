import net from 'node:net'

/** A socket that outlives the processes it is handed to. */
export type HeldSocket = { port: number; fd: number; close: () => void }

/** How Node's own cluster binds a socket for others: it is not listened on here. */
const { _createServerHandle: bind } = net as unknown as {
  _createServerHandle: (
    address: string,
    port: number,
    family: 4,
  ) => { fd: number; close: () => void; getsockname: (into: { port?: number }) => void } | number
}

/**
 * A socket of this machine's own address, on a free port, kept as systemd
 * keeps those of a socket unit.
 */
export function holdSocket(): HeldSocket {
  const handle = bind('127.0.0.1', 0, 4)
  if (typeof handle === 'number') throw new Error(`a socket is not to be had: ${handle}`)
  const name: { port?: number } = {}
  handle.getsockname(name)
  return { port: name.port!, fd: handle.fd, close: () => handle.close() }
}
