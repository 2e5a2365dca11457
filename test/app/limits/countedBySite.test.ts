import { beforeEach, describe, expect, it, vi } from 'vitest'
import { countedLimits, type LimitName } from '../../../src/vocabulary/countedLimits.js'
import { takeMessages } from '../../support/email/messages.js'
import { type Asked, fromAddress, type Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { carriedReport } from '../../support/links/carriedReport.js'
import { browserOf } from '../../support/links/guestBrowser.js'
import { multipart, picture } from '../../support/pictures.js'
import { count } from '../../support/rows.js'

vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true' }))

const house = useHouse()
let incidentId: number

beforeEach(async () => {
  await forgetCounts()
  incidentId = await house.report({ assetId: 7, title: 'Lamp', severity: 'low' })
})

describe.each(actsCountedBySite())('$names', ({ names, act }) => {
  it('count all networks of one IPv6 site together, and another site apart', async () => {
    const counters = (name: string) => count(`throttles where key like '${name}:%'`)
    await act('2001:db8:7:1::1')
    await act('2001:db8:7:ffff::1')
    for (const name of names) expect([name, await counters(name)]).toEqual([name, 1])
    await act('2001:db8:8:1::1')
    for (const name of names) expect([name, await counters(name)]).toEqual([name, 2])
  })
})

it('every limit that counts by site is among those', () => {
  const bySite = Object.entries(countedLimits).filter(([, { by }]) => by.includes('site'))
  expect(bySite.map(([name]) => name).sort()).toEqual(
    actsCountedBySite()
      .flatMap(({ names }) => names)
      .sort(),
  )
})

/** What counts by site, and an act from an address that it counts. */
function actsCountedBySite(): { names: LimitName[]; act: (address: string) => Promise<unknown> }[] {
  const email = 'resident@example.com'
  return [
    {
      names: ['password-site'],
      act: (address) => house.attemptSignIn({ email, password: 'a wrong guess' }, fromAddress(address)),
    },
    {
      names: ['link-pair', 'link-network'],
      act: (address) => askFrom(address, 'guest', '/api/auth/forgot-password', { json: { email } }),
    },
    {
      names: ['email-code-pair'],
      act: async (address) => {
        const browser = browserOf(house)
        await browser.ask('/sign-in/link', fromAddress(address, { form: { email } }))
        await browser.ask('/sign-in/link-sent', fromAddress(address, { form: { code: '000000' } }))
      },
    },
    {
      names: ['follows', 'confirmation-emails-network', 'stranger-mails-site'],
      act: async (address) => {
        const json = { email: 'ada@home.example', assetId: 7 }
        await askFrom(address, 'guest', '/api/follow', { json })
        await takeMessages()
      },
    },
    {
      names: ['guest-reports', 'guest-photos', 'resume'],
      act: (address) => carriedReport(house, address, 1),
    },
    {
      names: ['timeline-entries', 'timeline-bytes'],
      act: (address) =>
        askFrom(address, 'mobile', `/api/incidents/${incidentId}/updates`, { json: { body: 'x' } }),
    },
    {
      names: ['phones-photos'],
      act: async (address) => {
        const fields = { assetId: '7', title: 'Lamp', severity: 'low' }
        const body = multipart(fields, [{ bytes: await picture() }])
        return askFrom(address, 'mobile', '/api/incidents', { body, method: 'POST' })
      },
    },
  ]
}

/** Asks as someone from this address. */
function askFrom(address: string, who: Who, path: string, asked: Asked) {
  return house.ask(who, path, fromAddress(address, asked))
}
