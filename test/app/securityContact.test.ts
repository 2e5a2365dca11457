import { afterEach, describe, expect, it } from 'vitest'
import { config, readConfig } from '../../src/platform/process/config.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const address = '/.well-known/security.txt'
const before = { securityContact: config.securityContact, publicUrl: config.publicUrl }
afterEach(() => Object.assign(config, before))

describe('security.txt', () => {
  it('says whom to tell, until when that holds, and where it stands', async () => {
    Object.assign(config, { securityContact: 'mailto:safe@house.test', publicUrl: 'https://house.test' })
    const answer = await house.ask('guest', address)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const fields = new Map(
      (await answer.text()).split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]),
    )
    expect(fields.get('Contact')).toBe('mailto:safe@house.test')
    expect(fields.get('Canonical')).toBe(`https://house.test${address}`)
    expect(fields.get('Preferred-Languages')).toBe('en, es')
    const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(150)
    expect(days).toBeLessThan(365)
  })

  it('is not there while no one is named', async () => {
    expect((await house.ask('guest', address)).status).toBe(404)
  })

  it('takes an email address or an https page as a contact, and refuses all else at the start', () => {
    const read = (given: string) => readConfig({ ...env, SECURITY_CONTACT: given }).securityContact
    for (const given of ['mailto:safe@house.test', 'https://house.test/safe']) expect(read(given)).toBe(given)
    expect([read('safe@house.test'), read('')]).toEqual(['mailto:safe@house.test', null])
    for (const given of ['the janitor', 'javascript:alert(1)', 'a@b\nContact: evil@x', 'http://house.test'])
      expect(() => read(given)).toThrow(/SECURITY_CONTACT/)
  })
})

const env = {
  DATABASE_URL: 'postgres://u@127.0.0.1/x',
  SESSION_SECRET: 'a secret that is long enough for it',
}
