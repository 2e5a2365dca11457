import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { emptyOutbox } from '../support/email/messages.js'
import { actorOf, type Person } from '../support/house/acting.js'
import { choicesOf, forgetChoices } from '../support/house/choices.js'
import { followOnly } from '../support/house/followers.js'
import { report } from '../support/house/report.js'
import { things } from '../support/house/things.js'
import { queryAfterFanOut } from '../support/sending.js'

vi.hoisted(() => Object.assign(process.env, { PUSH_ENABLED: 'true' }))

import { forgetDevice } from '../../src/accounts/users/devices.js'
import { reportIncident } from '../../src/incidents/acts/reportIncident.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import type { DomainEvent, IncidentFact } from '../../src/vocabulary/events.js'

import { type Actor, systemActor } from '../../src/vocabulary/people/actor.js'
import { userIdOf } from '../support/accounts.js'
import { useDatabase } from '../support/database.js'
import { scalar } from '../support/rows.js'

useDatabase()
const neighbour = 'george.adeyemi@example.com'
const [former, inactive] = ['former@outside.test', 'gone@outside.test'] as const
/** They all follow a report and have a phone; the last two have no access any more. */
const everyone = ['admin', 'board', 'manager', 'mobile', 'resident', neighbour, former, inactive] as const
beforeAll(givePhones)
afterEach(async () => {
  await emptyOutbox()
  await forgetChoices()
})

describe('who is told, when everyone follows', () => {
  it.each([
    ['incident.created', 'resident', ['admin', 'board', 'manager'], allBut('resident')],
    ['incident.created', 'manager', ['admin', 'board'], allBut('manager')],
    ['incident.status_changed', 'manager', allBut('manager', 'mobile'), allBut('manager')],
    ['incident.status_changed', 'mobile', allBut('mobile'), allBut()],
    ['incident.sla_breached', 'board', allBut('board', 'mobile'), allBut('board')],
    ['incident.merged', 'admin', allBut('admin', 'mobile'), allBut('admin')],
  ] as const)('%s by %s: email to %s; push to %s', async (event, actor, email, push) => {
    const incident = await followedReport(...everyone)
    await emit(await actingAs(actor), { event, incident, details: { note: 1 } })
    expect(await notified()).toEqual({ mail: email, push })
  })

  it('an act of the system leaves nobody out', async () => {
    const incident = await followedReport(...everyone)
    await emit(systemActor('cron'), { event: 'incident.sla_breached', incident })
    expect(await notified()).toEqual({ mail: allBut('mobile'), push: allBut() })
  })

  it('what is quiet disturbs nobody', async () => {
    const incident = await followedReport(...everyone)
    await emit(systemActor('email'), { event: 'incident.created', incident, details: { quiet: true } })
    expect(await notified()).toEqual({ mail: [], push: [] })
  })

  it('a change of an asset’s status is told to nobody', async () => {
    await emit(systemActor('scheduler'), {
      event: 'asset.status_changed',
      asset: { id: 1, name: 'Lift', category: 'Lift', status: 'down' },
    })
    expect(await notified()).toEqual({ mail: [], push: [] })
  })
})

describe('who is told, when hardly anyone follows', () => {
  it('a report of its own tells staff and its reporter by email and its reporter’s phone, whichever way it is stored', async () => {
    const place = { assetId: 1, unitId: null, isAnonymous: false }
    const fields = { title: 'x', description: '', severity: 'low', ...place } as const
    await reportIncident(await actingAs('resident'), fields)
    const staffAndReporter = ['admin', 'board', 'manager', 'resident']
    expect(await notified()).toEqual({ mail: staffAndReporter, push: ['resident'] })
    await emptyOutbox()
    const board = await actingAs('board')
    await reportIncident({ ...board, idempotency: { key: 'k', digest: 'd' } }, fields)
    expect(await notified()).toEqual({ mail: ['admin', 'board', 'manager'], push: ['board'] })
  })

  it('each phone is told, and a merged duplicate’s follower once, also when following both', async () => {
    const duplicate = await followedReport('resident')
    const target = await followedReport('resident', neighbour)
    await choicesOf('resident').hasPhone('second phone', 'android')
    await emit(await actingAs('manager'), {
      event: 'incident.merged',
      incident: duplicate,
      details: { targetId: target.id, updateId: 1 },
    })
    expect(await notified()).toEqual({ mail: ['resident'], push: ['resident', 'resident'] })
    await forgetDevice(await scalar<number>(`select id from devices where token = 'second phone'`))
  })
})

it('a row of the outbox says what it is about, and is due at the moment of the event', async () => {
  const incident = await followedReport('resident')
  await emit(await actingAs('manager'), {
    event: 'incident.status_changed',
    incident,
    details: { from: 'open', to: 'resolved', updateId: 5 },
  })
  const [email, push] = await queryAfterFanOut('select * from outbox order by kind')
  const id = await scalar<number>('select id from devices where user_id = $1', [await userIdOf('resident')])
  const details = { from: 'open', to: 'resolved', updateId: 5 }
  expect(email).toMatchObject({ incidentId: incident.id, attempts: 0, payload: details, sentAt: null })
  expect(push).toMatchObject({ incidentId: incident.id, payload: { ...details, deviceId: id } })
  expect(email!.nextAttemptAt).toEqual(email!.createdAt)
})

describe('what someone chose to be notified of', () => {
  it('decides, for each event and way of its own', async () => {
    const incident = await followedReport('resident', neighbour)
    await choicesOf('resident').wants({ 'status.mail': false })
    await choicesOf(neighbour).wants({ 'status.push': false })
    const manager = await actingAs('manager')
    await emit(manager, { event: 'incident.status_changed', incident })
    expect(await notified()).toEqual({ mail: ['george.adeyemi'], push: ['resident'] })
    await emptyOutbox()
    await emit(manager, { event: 'incident.sla_breached', incident })
    const both = ['george.adeyemi', 'resident']
    expect(await notified()).toEqual({ mail: both, push: both })
  })

  it.each(['maybe', {}, 'false'])('and is no error and no answer when it is %j', async (value) => {
    await query('update users set notifications = $2 where id = $1', [
      await userIdOf('board'),
      { 'created.mail': value },
    ])
    const incident = await followedReport()
    await emit(await actingAs('resident'), { event: 'incident.created', incident })
    expect((await notified()).mail).toEqual(['admin', 'board', 'manager'])
  })
})

/** Makes the people without access, and gives everyone a phone. */
async function givePhones(): Promise<void> {
  await things.user({ email: former, role: 'admin', active: false })
  await things.user({ email: inactive, role: 'resident', active: false })
  for (const person of everyone) await choicesOf(person).hasPhone(`phone of ${person}`)
}

const actingAs = (person: Person): Promise<Actor> => actorOf(person, { notified: true })

/**
 * A report of which no one was notified yet, as its events name it. It came by the mobile app,
 * whose account gets no receipt.
 */
async function followedReport(...followers: Person[]): Promise<IncidentFact> {
  const id = await report({ reporter: 'mobile', title: 'Lift', severity: 'high', assetId: 1 })
  await followOnly(id, followers)
  return {
    id,
    title: 'Lift',
    severity: 'high',
    status: 'open',
    slaBreached: false,
    source: 'web',
    assetId: 1,
  }
}

const emit = (actor: Actor, happening: DomainEvent) =>
  change(actor, async (c) => {
    c.audit('incident.tested', 1)
    c.emit(happening)
  })

/** Who is notified how, by the first part of their addresses, sorted; twice is there twice. */
async function notified(): Promise<{ mail: string[]; push: string[] }> {
  const rows = await queryAfterFanOut<{ kind: string; name: string }>(
    `select o.kind, case when u.is_mobile_reporter then 'mobile' else split_part(u.email, '@', 1) end as name
     from outbox o join users u on u.id = o.recipient_id order by name`,
  )
  const namesOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name)
  return { mail: namesOf('mail'), push: namesOf('push') }
}

/** Everyone with access but these, by the first part of their addresses. */
function allBut(...left: string[]): string[] {
  const withAccess = ['admin', 'board', 'george.adeyemi', 'manager', 'mobile', 'resident']
  return withAccess.filter((name) => !left.includes(name))
}
