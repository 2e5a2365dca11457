import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { fanOut } from '../../../src/notifications/fanOut.js'
import { messageSender, pushDelivery, queryAfterFanOut } from '../../support/sending.js'

vi.hoisted(() => Object.assign(process.env, { PUSH_ENABLED: 'true' }))

import { forgetDevice } from '../../../src/accounts/users/devices.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import type { PushResult } from '../../../src/platform/push/pushResult.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()
const { office } = house
beforeAll(async () => {
  await house.maya.hasPhone('phone of Maya')
  await house.app.hasPhone('phone of a guest', 'android')
})
beforeEach(emptyOutbox)

describe('a push', () => {
  it('names nobody, whoever did it and whoever hides', async () => {
    const id = await house.report({ isAnonymous: true })
    await house.app.follows(id)
    await office.resolves(id, 'Done', { notified: true })
    await house.json('resident', `/api/incidents/${id}/verify`, {
      json: { fixed: false, body: 'It is me, Maya' },
    })
    const { pushes } = await takeMessages()
    const [toMaya] = pushes.filter(({ token }) => token === 'phone of Maya')
    const [toGuest, reopened] = pushes.filter(({ token }) => token === 'phone of a guest')
    expect(pushes.length).toBe(3)
    expect({ ...toGuest, token: '' }).toEqual({ ...toMaya, token: '' })
    expect(reopened).toMatchObject({ title: `Reported as not fixed · INC-${id}` })
    expect(JSON.stringify(pushes.map(({ token: _token, ...push }) => push))).not.toMatch(/Maya|Okafor|Tomasz/)
  })

  it('of a merged duplicate leads to what it was merged into', async () => {
    const [id, target] = [await house.report(), await house.report()]
    await emptyOutbox()
    await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    const { pushes } = await takeMessages()
    expect(pushes).toMatchObject([{ title: `Merged · INC-${id}`, data: { incidentId: String(target) } }])
  })

  it('is not sent when pushes were turned off meanwhile', async () => {
    await office.resolves(await house.report(), 'Done', { notified: true })
    await fanOut()
    config.push.enabled = false
    await pushesEnding({ as: 'sent' })
    config.push.enabled = true
    expect(await pushRows()).toEqual([{ sent: true, error: 'dropped: push is off' }])
  })

  it('does not follow a phone to whoever has it now', async () => {
    await office.resolves(await house.report(), 'Done', { notified: true })
    await fanOut()
    await house.board.hasPhone('phone of Maya')
    await pushesEnding({ as: 'sent' })
    expect(await pushRows()).toEqual([{ sent: true, error: 'dropped: no device' }])
    await house.maya.hasPhone('phone of Maya')
  })

  it('that meets a dead token ends it, with an audit entry that does not name the token', async () => {
    await office.resolves(await house.report(), 'Done', { notified: true })
    await pushesEnding({ as: 'dead' })
    expect(await pushRows()).toEqual([{ sent: true, error: 'dropped: dead token' }])
    expect(await query(`select from devices where token = 'phone of Maya'`)).toEqual([])
    const [entry] = await query(
      `select * from audit_entries where action = 'device.removed' order by id desc`,
    )
    expect(entry).toMatchObject({ actorType: 'system', via: 'scheduler', entity: 'device' })
    expect(JSON.stringify(entry!.changes)).not.toContain('Maya')
  })
})

/** Sends the waiting pushes, which end like this. */
async function pushesEnding(as: PushResult): Promise<void> {
  const push = pushDelivery(async () => as, forgetDevice)
  await messageSender({ mail: async () => ({ as: 'sent' }), push }).drain()
}

const pushRows = () =>
  queryAfterFanOut(
    `select sent_at is not null as sent, last_error as error from outbox where kind = 'push' order by id`,
  )
