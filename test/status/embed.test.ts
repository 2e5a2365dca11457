import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, readConfig } from '../../src/platform/process/config.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { maya, office, guest } = house
const usual = config.embedOrigins
beforeEach(() => Object.assign(config, { embedOrigins: ['https://residents.example', 'http://intra:8080'] }))
afterEach(() => Object.assign(config, { embedOrigins: usual }))

describe('the status in a frame', () => {
  it('may be shown by the websites of the setting, and by no other', async () => {
    const { headers, status } = await guest.ask('/embed')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(
      /;frame-ancestors https:\/\/residents\.example http:\/\/intra:8080$/,
    )
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('has no form, script or cookie, and names no one who is signed in', async () => {
    for (const person of [guest, maya, office]) {
      const answer = await person.ask('/embed', { headers: { accept: 'text/html' } })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    const page = await office.page('/embed')
    expect(page('form, button, input, script, noscript, iframe').length).toBe(0)
    expect(page('body').text()).toBe((await guest.page('/embed'))('body').text())
  })

  it('opens every link outside the frame', async () => {
    const page = await guest.page('/embed')
    const links = page('a[href]').toArray()
    expect(links.length).toBeGreaterThan(2)
    expect(links.map((link) => page(link).attr('target'))).toEqual(links.map(() => '_top'))
  })

  it('says what is wrong as the status page does, and follows it', async () => {
    const lift = await house.lift('Goods lift of the frame')
    const report = await maya.reports(lift, { severity: 'critical' })
    expect((await guest.page('/embed'))('main').text()).toContain('Goods lift of the frame')
    await office.resolves(report)
    expect((await guest.page('/embed'))('main').text()).not.toContain('Goods lift of the frame')
    const page = await house.page('guest', '/embed', { headers: { 'accept-language': 'es' } })
    expect(page('main').text()).toContain('Abrir la página de estado')
  })

  it('is not sent twice', async () => {
    const tag = (await guest.ask('/embed')).headers.get('etag')!
    expect((await guest.ask('/embed', { headers: { 'if-none-match': tag } })).status).toBe(304)
  })

  it.each(['/', '/report', '/sign-in', '/display', '/history', '/offline'])(
    'is the only page: %s stays out of frames',
    async (path) => {
      const { headers } = await guest.ask(path, { headers: { accept: 'text/html' } })
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    },
  )

  it('is not there while no website is named', async () => {
    Object.assign(config, { embedOrigins: [] })
    const { status, headers } = await guest.ask('/embed')
    expect([status, headers.get('x-frame-options')]).toEqual([404, 'DENY'])
  })
})

describe('EMBED_ORIGINS', () => {
  const read = (given: string) => readConfig({ ...env, EMBED_ORIGINS: given }).embedOrigins

  it('takes origins, with http or https', () => {
    expect(read('https://a.example, http://b.example:8080')).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ])
    expect([read(''), read(' ')]).toEqual([[], []])
  })

  it.each([
    'a.example',
    'https://a.example/',
    'https://a.example/page',
    'https://*.example',
    '*',
    "'self'",
    'data:',
    'ftp://a.example',
    'https://a.example; script-src *',
    'https://a.example:443',
    'https://A.example',
    'https://user@a.example',
  ])('stops the start with anything else: %s', (given) => {
    expect(() => read(given)).toThrow(/EMBED_ORIGINS .*: only origins such as/)
  })
})

const env = {
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SESSION_SECRET: 'x'.repeat(40),
  PUBLIC_URL: 'https://house.test',
}
