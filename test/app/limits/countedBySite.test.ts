import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { countedLimits, type LimitName } from '../../../src/vocabulary/countedLimits.js'
import { takeMessages } from '../../support/email/messages.js'
import type { Asked, Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { carriedReport } from '../../support/links/carriedReport.js'
import { multipart, picture } from '../../support/pictures.js'
import { count } from '../../support/rows.js'

vi.hoisted(() => Object.assign(process.env, { TRUST_PROXY: 'true' }))

const house = useHouse()
let id: number

beforeEach(async () => {
  await query('delete from throttles')
  id = await house.report({ assetId: 7, title: 'Lamp', severity: 'low' })
})

const from = (address: string, who: Who, to: string, asked: Asked) =>
  house.ask(who, to, { ...asked, headers: { 'x-forwarded-for': address } })
const email = 'resident@example.com'

/** What counts by site, and an act from an address that it counts. */
const countedBySite: { names: LimitName[]; act: (address: string) => Promise<unknown> }[] = [
  {
    names: ['password-site'],
    act: (address) =>
      from(address, 'guest', '/api/auth/sign-in/email', { json: { email, password: 'a wrong guess' } }),
  },
  {
    names: ['link-pair', 'link-network'],
    act: (address) => from(address, 'guest', '/api/auth/forgot-password', { json: { email } }),
  },
  {
    names: ['follows', 'confirmation-emails-network', 'stranger-mails-site'],
    act: async (address) => {
      await from(address, 'guest', '/api/follow', { json: { email: 'ada@home.example', assetId: 7 } })
      await takeMessages()
    },
  },
  {
    names: ['guest-reports', 'guest-photos', 'resume'],
    act: (address) => carriedReport(house, address, 1),
  },
  {
    names: ['timeline-entries', 'timeline-bytes'],
    act: (address) => from(address, 'mobile', `/api/incidents/${id}/updates`, { json: { body: 'x' } }),
  },
  {
    names: ['phones-photos'],
    act: async (address) => {
      const body = multipart({ assetId: '7', title: 'Lamp', severity: 'low' }, [{ bytes: await picture() }])
      return from(address, 'mobile', '/api/incidents', { body, method: 'POST' })
    },
  },
]

describe.each(countedBySite)('$names', ({ names, act }) => {
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
  expect(bySite.map(([name]) => name).sort()).toEqual(countedBySite.flatMap(({ names }) => names).sort())
})
