import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetDevice } from '../../../src/accounts/users/devices.js'
import { query } from '../../../src/platform/db/database.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { configureWebPush, newBrowser, subscriptionOf } from '../../support/push/subscription.js'
import { messageSender, pushDelivery, queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { office } = house
configureWebPush()
const browser = newBrowser()
beforeAll(async () => {
  await house.maya.hasPhone('phone of Maya')
  await subscribe()
})
beforeEach(emptyOutbox)

describe('with keys of web push, and without PUSH_ENABLED', () => {
  it('browsers are told what phones would be, phones nothing', async () => {
    const id = await house.report({ title: 'Lift B stuck', status: 'acknowledged' })
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
    const id = await house.report()
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
    await office.resolves(await house.report(), 'Done', { notified: true })
    const { browsers } = await house.json('resident', '/api/account')
    await house.ask('resident', `/api/account/browsers/${browsers[0].id}`, { method: 'DELETE' })
    expect(await pushes()).toEqual([])
    await subscribe()
  })

  it('a browser its push service does not know any more is forgotten', async () => {
    await office.resolves(await house.report(), 'Done', { notified: true })
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
    json: subscriptionOf(browser),
  })

const answer = (id: number, newStatus?: Status) =>
  house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'Done', newStatus } })

const choose = (followed: string) =>
  house.json('resident', '/api/account', { method: 'PATCH', json: { followed } })

const pushes = async () => (await takeMessages()).pushes
