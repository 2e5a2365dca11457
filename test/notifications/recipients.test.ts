import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { emptyOutbox } from '../support/email/messages.js'
import { queryAfterFanOut } from '../support/sending.js'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { reportIncident } from '../../src/incidents/acts/reportIncident.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import type { DomainEvent, IncidentFact } from '../../src/vocabulary/events.js'
import { notificationSettings, wants } from '../../src/vocabulary/notificationSettings.js'
import { type Actor, systemActor } from '../../src/vocabulary/people/actor.js'
import { useDatabase } from '../support/database.js'
import { scalar } from '../support/rows.js'

useDatabase()

/** Everybody of this small world, by first name; all have a phone. */
const people: Record<string, { role: string; active?: boolean; mobile?: boolean }> = {
  Res: { role: 'resident' },
  Other: { role: 'resident' },
  Gone: { role: 'resident', active: false },
  Board: { role: 'board' },
  Manager: { role: 'manager' },
  Admin: { role: 'admin' },
  Former: { role: 'admin', active: false },
  Mobile: { role: 'resident', mobile: true },
}
const ids = new Map<string, number>()

beforeAll(async () => {
  await query('update users set active = false where not is_mobile_reporter')
  await query(`update users set name = 'Mobile' where is_mobile_reporter`)
  for (const [name, { role, active = true, mobile }] of Object.entries(people)) {
    if (mobile) continue
    const values = [name, `${name}@house.test`, role, active]
    await query('insert into users (name, email, role, active) values ($1, $2, $3, $4)', values)
  }
  const rows = await query<{ id: number; name: string }>('select id, name from users where name = any ($1)', [
    Object.keys(people),
  ])
  for (const { id, name } of rows) {
    ids.set(name, id)
    await query(`insert into devices (token, platform, user_id) values ($1, 'ios', $2)`, [
      `phone of ${name}`,
      id,
    ])
  }
})

afterEach(async () => {
  await emptyOutbox()
  await query(`update users set notifications = '{}'`)
})

const everybody = Object.keys(people)
const followersButNot = (...names: string[]) =>
  ['Admin', 'Board', 'Manager', 'Mobile', 'Other', 'Res'].filter((name) => !names.includes(name)).join(' ')

describe('who is told, when everybody follows', () => {
  it.each([
    ['incident.created', 'Res', 'Admin Board Manager', followersButNot('Res')],
    ['incident.created', 'Manager', 'Admin Board', followersButNot('Manager')],
    ['incident.status_changed', 'Manager', followersButNot('Manager', 'Mobile'), followersButNot('Manager')],
    ['incident.status_changed', 'Mobile', followersButNot('Mobile'), followersButNot()],
    ['incident.sla_breached', 'Board', followersButNot('Board', 'Mobile'), followersButNot('Board')],
    ['incident.merged', 'Admin', followersButNot('Admin', 'Mobile'), followersButNot('Admin')],
  ] as const)('%s by %s: email to %s; push to %s', async (event, actor, email, push) => {
    const incident = await incidentFollowedBy(...everybody)
    await emit(as(actor), { event, incident, details: { note: 1 } })
    expect(await notified()).toEqual({ mail: email, push })
  })

  it('an act of the system leaves nobody out', async () => {
    const incident = await incidentFollowedBy(...everybody)
    await emit(systemActor('cron'), { event: 'incident.sla_breached', incident })
    expect(await notified()).toEqual({ mail: followersButNot('Mobile'), push: followersButNot() })
  })

  it('what is quiet disturbs nobody', async () => {
    const incident = await incidentFollowedBy(...everybody)
    await emit(systemActor('email'), { event: 'incident.created', incident, details: { quiet: true } })
    expect(await notified()).toEqual({ mail: '', push: '' })
  })

  it('a change of an asset’s status is told to nobody', async () => {
    await emit(systemActor('scheduler'), {
      event: 'asset.status_changed',
      asset: { id: 1, name: 'Lift', category: 'Lift', status: 'down' },
    })
    expect(await notified()).toEqual({ mail: '', push: '' })
  })
})

describe('who is told, when hardly anybody follows', () => {
  it('a report of its own tells staff and its reporter by email and its reporter’s phone, whichever way it is stored', async () => {
    const place = { assetId: 1, unitId: null, isAnonymous: false }
    const report = { title: 'x', description: '', severity: 'low', ...place } as const
    await reportIncident(as('Res'), report)
    expect(await notified()).toEqual({ mail: 'Admin Board Manager Res', push: 'Res' })
    await emptyOutbox()
    await reportIncident({ ...as('Board'), idempotency: { key: 'k', digest: 'd' } }, report)
    expect(await notified()).toEqual({ mail: 'Admin Board Manager', push: 'Board' })
  })

  it('each phone is told, and a merged duplicate’s follower once, also when following both', async () => {
    const [duplicate, target] = [await incidentFollowedBy('Res'), await incidentFollowedBy('Res', 'Other')]
    await query(`insert into devices (token, platform, user_id) values ('second phone', 'android', $1)`, [
      ids.get('Res'),
    ])
    await emit(as('Manager'), {
      event: 'incident.merged',
      incident: duplicate,
      details: { targetId: target.id, updateId: 1 },
    })
    expect(await notified()).toEqual({ mail: 'Res', push: 'Res Res' })
    await query(`delete from devices where token = 'second phone'`)
  })
})

it('a row of the outbox says what it is about, and is due at the moment of the event', async () => {
  const incident = await incidentFollowedBy('Res')
  await emit(as('Manager'), {
    event: 'incident.status_changed',
    incident,
    details: { from: 'open', to: 'resolved', updateId: 5 },
  })
  const [email, push] = await queryAfterFanOut('select * from outbox order by kind')
  const id = await scalar<number>('select id from devices where user_id = $1', [ids.get('Res')])
  const details = { from: 'open', to: 'resolved', updateId: 5 }
  expect(email).toMatchObject({ incidentId: incident.id, attempts: 0, payload: details, sentAt: null })
  expect(push).toMatchObject({ incidentId: incident.id, payload: { ...details, deviceId: id } })
  expect(email!.nextAttemptAt).toEqual(email!.createdAt)
})

describe('what somebody said they want', () => {
  it('decides, for each event and way of its own', async () => {
    const incident = await incidentFollowedBy('Res', 'Other')
    const choose = (name: string, notifications: object) =>
      query('update users set notifications = $2 where id = $1', [ids.get(name), notifications])
    await choose('Res', { 'status.mail': false })
    await choose('Other', { 'status.push': false })
    await emit(as('Manager'), { event: 'incident.status_changed', incident })
    expect(await notified()).toEqual({ mail: 'Other', push: 'Res' })
    await emptyOutbox()
    await emit(as('Manager'), { event: 'incident.sla_breached', incident })
    expect(await notified()).toEqual({ mail: 'Other Res', push: 'Other Res' })
  })

  it.each(['maybe', {}, 'false'])('and is no error and no answer when it is %j', async (said) => {
    await query('update users set notifications = $2 where id = $1', [
      ids.get('Board'),
      { 'created.mail': said },
    ])
    await emit(as('Res'), { event: 'incident.created', incident: await incidentFollowedBy() })
    expect((await notified()).mail).toBe('Admin Board Manager')
  })

  it('means the same in SQL as in code', async () => {
    for (const setting of Object.keys(notificationSettings) as (keyof typeof notificationSettings)[]) {
      for (const said of [true, false, null, 'false', 0, undefined]) {
        const notifications = said === undefined ? {} : { [setting]: said }
        const wanted = await scalar<boolean>('select wants_notification($1, $2) as wanted', [
          notifications,
          setting,
        ])
        expect(wanted, `${setting} ${said}`).toBe(wants(notifications, setting))
      }
    }
  })
})

const as = (name: string): Actor => ({
  type: 'user',
  id: ids.get(name)!,
  name,
  role: people[name]!.role as Actor['role'],
  via: 'web',
})

/** An incident nobody has been told of yet. */
async function incidentFollowedBy(...followers: string[]): Promise<IncidentFact> {
  const id = await scalar<number>(
    `insert into incidents (title, severity, source, asset_id) values ('Lift', 'high', 'web', 1) returning id`,
  )
  for (const name of followers)
    await query('insert into followers (incident_id, user_id) values ($1, $2)', [id, ids.get(name)])
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

/** Who has been told how, by name, sorted; twice is there twice. */
async function notified(): Promise<{ mail: string; push: string }> {
  const rows = await queryAfterFanOut<{ kind: string; name: string }>(
    'select o.kind, u.name from outbox o join users u on u.id = o.recipient_id order by u.name',
  )
  const by = (kind: string) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ name }) => name)
      .join(' ')
  return { mail: by('mail'), push: by('push') }
}
