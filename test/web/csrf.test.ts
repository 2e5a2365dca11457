import { describe, expect, it } from 'vitest'
import { originOf } from '../../src/web/session/csrf.js'

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

  it('is unknown when a client sends neither', () => {
    expect(originOf({ host }, null)).toBe('silent')
  })
})
