import { connect } from 'node:net'
import type { Drawn } from './requests.js'

/** A request as it goes over the wire, with its wounds. */
export function bytesOf({ method, path, headers, body, wounds }: Drawn, host: string): Buffer {
  const length = body ? { 'content-length': String(body.length) } : {}
  const lines = Object.entries({ host, connection: 'close', ...headers, ...length })
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  let bytes = Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
  for (const { at, cut, put } of wounds ?? []) {
    const place = Math.floor(at * bytes.length)
    bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)])
  }
  return bytes
}

/**
 * Milliseconds without a byte after which nobody waits any more: the
 * server's own bounds are longer.
 */
const patience = 600

/** What the server writes until it closes, or says nothing more. */
export function overSocket(origin: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const heard: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    socket.setTimeout(patience, () => socket.destroy())
    socket.on('data', (chunk) => heard.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(heard)))
    // Ended now, an answer would be given up before it is written.
    socket.write(bytes)
  })
}

/** A request that can be sent again: as a command, or as the bytes of the wire. */
export function again(drawn: Drawn, origin: string): string {
  if (drawn.wounds) {
    const { hostname, port } = new URL(origin)
    const hex = bytesOf(drawn, `${hostname}:${port}`).toString('hex')
    return `echo ${hex} | xxd -r -p | nc ${hostname} ${port}`
  }
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const named = Object.entries(drawn.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const sent = drawn.body ? ['--data-binary @-'] : []
  const command = ['curl', '-i', '-X', drawn.method, ...named, ...sent, quoted(origin + drawn.path)].join(' ')
  return drawn.body ? `echo ${drawn.body.toString('base64')} | base64 -d | ${command}` : command
}
