import { connect } from 'node:net'
import type { FuzzRequest } from './requests.js'

/** A request as it goes over the wire, with its wounds. */
export function bytesOf({ method, path, headers, body, wounds }: FuzzRequest, host: string): Buffer {
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
 * Milliseconds without a byte after which the answer is taken as complete: the server's own bounds
 * are longer.
 */
const silenceMs = 600

/** What the server writes until it closes, or says nothing more. */
export function overSocket(origin: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    socket.setTimeout(silenceMs, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    // Ended now, an answer would be given up before it is written.
    socket.write(bytes)
  })
}

/** A request that can be sent again: as a command, or as the bytes of the wire. */
export function repeatCommand(request: FuzzRequest, origin: string): string {
  if (request.wounds) {
    const { hostname, port } = new URL(origin)
    const hex = bytesOf(request, `${hostname}:${port}`).toString('hex')
    return `echo ${hex} | xxd -r -p | nc ${hostname} ${port}`
  }
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const headerOptions = Object.entries(request.headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  )
  const bodyOption = request.body ? ['--data-binary @-'] : []
  const command = [
    'curl',
    '-i',
    '-X',
    request.method,
    ...headerOptions,
    ...bodyOption,
    quoted(origin + request.path),
  ].join(' ')
  return request.body ? `echo ${request.body.toString('base64')} | base64 -d | ${command}` : command
}
