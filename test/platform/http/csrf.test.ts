import { describe, expect, it } from 'vitest'
import { originOf } from '../../../src/platform/http/session/csrf.js'

const host = 'building.example:3000'

describe('where a request comes from', () => {
  it.each([
    ['same-origin', 'ours'],
    ['none', 'ours'],
    ['same-site', 'foreign'],
    ['cross-site', 'foreign'],
    ['anything else', 'foreign'],
  ])('Sec-Fetch-Site %s is %s, whatever Origin says', (site, expected) => {
    expect(originOf({ site, host }, null)).toBe(expected)
    expect(originOf({ site, origin: 'https://evil.test', host }, null)).toBe(expected)
    expect(originOf({ site, origin: `http://${host}`, host }, null)).toBe(expected)
  })

  it.each([
    [`http://${host}`, 'ours'],
    [`https://${host}`, 'ours'],
    ['https://status.example', 'foreign'],
    ['http://building.example', 'foreign'],
    ['https://evil.test', 'foreign'],
    ['null', 'foreign'],
  ])('without it and without a public URL, Origin %s is %s', (origin, expected) => {
    expect(originOf({ origin, host }, null)).toBe(expected)
  })

  it.each([
    ['https://status.example', 'ours'],
    ['http://status.example', 'foreign'],
    [`http://${host}`, 'foreign'],
    [`https://${host}`, 'foreign'],
    ['null', 'foreign'],
  ])('with a public URL, whatever name the request came by, Origin %s is %s', (origin, expected) => {
    expect(originOf({ origin, host }, 'https://status.example/path')).toBe(expected)
  })

  it('has the names of this machine as one origin, on the same port and without a public URL', () => {
    const names = ['localhost', '127.0.0.1', '[::1]']
    for (const name of names)
      for (const other of names) {
        const from = (origin: string, publicUrl: string | null = null) =>
          originOf({ origin, host: `${name}:4300` }, publicUrl)
        expect(from(`http://${other}:4300`)).toBe('ours')
        expect(from(`http://${other}:4301`)).toBe('foreign')
        expect(from(`http://${other}`)).toBe('foreign')
        expect(from(`http://${other}.evil.test:4300`)).toBe('foreign')
        expect(from(`http://evil.test//${other}:4300`)).toBe('foreign')
        expect(from(`http://${other}:4300`, 'https://status.example')).toBe('foreign')
      }
    expect(originOf({ origin: 'http://localhost:4300', host: 'building.example:4300' }, null)).toBe('foreign')
  })

  it('is unknown when a client sends neither', () => {
    expect(originOf({ host }, null)).toBe('silent')
  })
})
