import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { messageSender, pushDelivery, queryAfterFanOut } from '../../support/sending.js'

/** A pair for tests alone. */
vi.hoisted(() =>
  Object.assign(process.env, {
    VAPID_PUBLIC_KEY:
      'BFf990R8ulJ33DTbczsiEdIV9-Vi9lTTdD-HU2lAHLZSkRva2xmEuA3GE8qB8LFjC2_n9KU8mIRwG3zjtUC2n0c',
    VAPID_PRIVATE_KEY: '3OtZKrtDzxPtbxtsDtQa-n7jKesUAH95ql1Ft9fFrkc',
    VAPID_SUBJECT: 'mailto:office@building.example',
  }),
)

import { forgetDevice } from '../../../src/accounts/users/devices.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { newBrowser, subscriptionOf } from '../../support/push/subscription.js'

const house = useHouse()
const { office } = house
afterAll(() => {
  for (const name of ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT']) process.env[name] = ''
})

const browser = newBrowser()
beforeAll(async () => {
  await house.json('resident', '/api/devices', { json: { token: 'phone of Maya', platform: 'ios' } })
  await subscribe()
})
beforeEach(emptyOutbox)

describe('with keys of web push, and without PUSH_ENABLED', () => {
  it('browsers are told what phones would be, phones nothing', async () => {
    const id = await report({ status: 'acknowledged' })
    await answer(id, 'resolved')
    expect(await pushes()).toEqual([
      {
        token: browser.endpoint,
        title: `Marked as fixed · INC-${id}`,
        body: 'Lift B stuck',
        data: { incidentId: String(id), event: 'incident.status_changed' },
        page: `/incidents/${id}`,
        collapseKey: `incident-${id}`,
      },
    ])
  })

  it('a browser is told by the choices of its person', async () => {
    const id = await report()
    const hearing = async (choice: string) => {
      await choose(choice)
      await answer(id)
      await answer(id, choice === 'all' ? 'acknowledged' : choice === 'status' ? 'in_progress' : 'resolved')
      return (await pushes()).map(({ data }) => data.event)
    }
    expect(await hearing('status')).toEqual(['incident.status_changed'])
    expect(await hearing('nothing')).toEqual([])
    await choose('all')
  })

  it('a browser that signs out hears nothing more, not even of what waits', async () => {
    await resolve(await report())
    const { browsers } = await house.json('resident', '/api/account')
    await house.ask('resident', `/api/account/browsers/${browsers[0].id}`, { method: 'DELETE' })
    expect(await pushes()).toEqual([])
    await subscribe()
  })

  it('a browser its push service does not know any more is forgotten', async () => {
    await resolve(await report())
    const push = pushDelivery(async () => ({ as: 'dead' }), forgetDevice)
    await messageSender({ mail: async () => ({ as: 'sent' }), push }).drain()
    expect(await queryAfterFanOut(`select last_error from outbox where kind = 'push'`)).toEqual([
      { lastError: 'dropped: dead token' },
    ])
    expect((await house.json('resident', '/api/account')).browsers).toEqual([])
    expect(await query(`select token from devices where platform = 'ios'`)).toEqual([
      { token: 'phone of Maya' },
    ])
    await subscribe()
  })
})

const subscribe = () =>
  house.json('resident', '/api/account/browsers', {
    json: subscriptionOf(browser, config.webPush!.publicKey),
  })

const report = (given?: GivenReport) => house.report({ title: 'Lift B stuck', severity: 'high', ...given })

const answer = (id: number, newStatus?: Status) =>
  house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'Done', newStatus } })

const resolve = (id: number) => office.resolves(id, undefined, { notified: true })

const choose = (followed: string) =>
  house.json('resident', '/api/account', { method: 'PATCH', json: { followed } })

const pushes = async () => (await takeMessages()).pushes
