import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { lingering } from '../../../../src/platform/http/answer/lingeringClose.js'
import { useHouse } from '../../../support/house/house.js'

const house = useHouse()

describe('a body that is refused before it is read', () => {
  it.each([1_000, 3_000_000])('of %i bytes is answered to every sender', async (size) => {
    const statuses: number[] = []
    for (let i = 0; i < 20; i++) {
      const form = new FormData()
      form.append('photos[]', new Blob([new Uint8Array(size)], { type: 'image/jpeg' }), 'a.jpg')
      const url = `${house.origin()}/api/auth/sign-in/email`
      const answer = await fetch(url, { method: 'POST', body: form, headers: { accept: 'application/json' } })
      await answer.text()
      statuses.push(answer.status)
    }
    expect(new Set(statuses)).toEqual(new Set([415]))
  })

  it('is waited for only so long, and then the connection ends with the answer', async () => {
    const { milliseconds, bytes } = lingering
    lingering.milliseconds = 300
    expect(await refused('Content-Length: 500', '{"a')).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/i)
    lingering.milliseconds = milliseconds
    lingering.bytes = 1_000
    const long = await refused('Content-Length: 500000', 'a'.repeat(5_000))
    expect(long).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/i)
    lingering.bytes = bytes
  })
})

/** What is answered to the beginning of a body that never ends. */
function refused(length: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(house.origin())
    const socket = connect(Number(port), hostname)
    const head = ['POST /nowhere HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', length]
    socket.write([...head, '', body].join('\r\n'))
    let text = ''
    socket.on('data', (given) => (text += given))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}
