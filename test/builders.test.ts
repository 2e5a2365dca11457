import { beforeAll, describe, expect, it, vi } from 'vitest'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { query } from '../src/platform/db/database.js'
import { userIdOf } from './support/accounts.js'
import { useApp, type Who } from './support/app.js'
import { aCost, aFollower, aNote } from './support/builders/additions.js'
import { aComment, anAnswer, aVerification } from './support/builders/answers.js'
import { differenceMadeBy, separateIds } from './support/builders/differences.js'
import { anIncident } from './support/builders/incident.js'
import { aMergedPair } from './support/builders/merge.js'
import { aNotifiedAnswer } from './support/builders/notifiedAnswer.js'
import { anOverdue } from './support/builders/overdue.js'
import { aDismissed, aHidden } from './support/builders/protection.js'
import { aContact, anAsset, aSubscription, aTower, aUser, aWindow } from './support/builders/records.js'
import { emailFollower } from './support/email/emailFollowers.js'

const app = useApp()

const post = (who: Who, path: string, json: object = {}) => app.json(who, path, { json })
const report = async (who: Who = 'resident', given: object = {}): Promise<number> =>
  (
    await post(who, '/api/incidents', {
      title: 'Something is broken',
      severity: 'medium',
      assetId: 7,
      ...given,
    })
  ).id
const update = (who: Who, id: number, given: object) => post(who, `/api/incidents/${id}/updates`, given)
const resolved = async (given: object = {}) => {
  const id = await report('resident', given)
  await update('manager', id, { body: 'Done', newStatus: 'resolved' })
  return id
}
const verify = (who: Who, id: number, fixed: boolean) => post(who, `/api/incidents/${id}/verify`, { fixed })

/** Two ways to one state; `name` is for what is called by a name of its own. */
type Way = (name: string) => Promise<unknown>
type Case = { product: Way; builder: Way; withTimes?: false; withWaiting?: true }

/**
 * An hour that both ways can be told; far away, so that it is in the future whenever the test runs.
 */
const promise = { expectedBackAt: new Date('2096-05-06T12:00:00Z'), statusReason: 'waiting_for_parts' }

/**
 * All states that builders make. `withTimes`: false where the product cannot be
 * made to act in the past.
 */
const cases: Record<string, Case> = {
  'an open incident': { product: () => report(), builder: () => anIncident() },
  'an anonymous critical one by staff': {
    product: () => report('board', { severity: 'critical', isAnonymous: true, description: 'Since noon' }),
    builder: () =>
      anIncident({ reporter: 'board', severity: 'critical', isAnonymous: true, description: 'Since noon' }),
  },
  'a low one in a flat, from the app': {
    product: () => report('mobile', { severity: 'low', assetId: undefined, unitId: 3 }),
    builder: () => anIncident({ reporter: 'mobile', severity: 'low', unitId: 3 }),
  },
  'one by an email of a stranger': {
    product: (name) => byEmail(`Jo <${name}@outside.test>`),
    builder: (name) =>
      anIncident({ reporterEmail: `${name}@outside.test`, title: 'Noise', description: 'All night' }),
  },
  'one by an email of a resident': {
    product: () => byEmail('Maya <resident@example.com>'),
    builder: () => anIncident({ source: 'email', title: 'Noise', description: 'All night' }),
  },
  'an acknowledged one with a promise and an assignee': {
    product: async () =>
      update('manager', await report(), {
        body: 'Seen',
        newStatus: 'acknowledged',
        ...promise,
        assigneeId: await userIdOf('board'),
        dueOn: '2096-05-05',
      }),
    builder: () =>
      anIncident({
        status: 'acknowledged',
        body: 'Seen',
        ...promise,
        assignee: 'board',
        dueOn: '2096-05-05',
      }),
  },
  'one in progress, done by a contact': {
    product: async () =>
      update('manager', await report(), { body: 'Begun', newStatus: 'in_progress', contactId: 1 }),
    builder: () => anIncident({ status: 'in_progress', body: 'Begun', contactId: 1 }),
  },
  'an open one with a promise': {
    product: async () => update('manager', await report(), { body: 'We wait', ...promise }),
    builder: () => anIncident({ body: 'We wait', ...promise }),
  },
  'a resolved one that was critical': {
    product: () => resolved({ severity: 'critical' }),
    builder: () => anIncident({ severity: 'critical', status: 'resolved' }),
  },
  'one closed for another reason': {
    product: async () =>
      update('manager', await report(), {
        body: 'Not ours',
        newStatus: 'resolved',
        closingReason: 'not_ours',
      }),
    builder: () => anIncident({ status: 'resolved', body: 'Not ours', closingReason: 'not_ours' }),
  },
  'a verified one with an anonymous reporter': {
    product: async () => verify('resident', await resolved({ isAnonymous: true }), true),
    builder: () => anIncident({ status: 'verified', isAnonymous: true }),
  },
  'one that was not fixed': {
    product: async () => verify('resident', await resolved({ severity: 'critical' }), false),
    builder: async () =>
      aVerification(await anIncident({ status: 'resolved', severity: 'critical' }), { fixed: false }),
  },
  'a status of which followers with and without an account are told': {
    withWaiting: true,
    product: async (name) => {
      const id = await notifiedIncident(name)
      await update('manager', id, { body: 'Begun', newStatus: 'in_progress' })
    },
    builder: async (name) => {
      const id = await notifiedIncident(name)
      await aNotifiedAnswer(id, { body: 'Begun', status: 'in_progress' })
    },
  },
  'a comment': {
    product: async () => update('resident', await report(), { body: 'Still loud' }),
    builder: async () => aComment(await anIncident(), { body: 'Still loud' }),
  },
  'a comment and an answer without a status': {
    product: async () => {
      const id = await report()
      await update('mobile', id, { body: 'And?' })
      await update('admin', id, { body: 'Tomorrow' })
    },
    builder: async () => {
      const id = await anIncident()
      await aComment(id, { by: 'mobile', body: 'And?' })
      await anAnswer(id, { by: 'admin', body: 'Tomorrow' })
    },
  },
  'a merged pair': {
    product: async () => {
      const survivor = await report()
      await merge(await report(), survivor)
    },
    builder: () => aMergedPair(),
  },
  'a merged pair whose downtime goes on': {
    product: async () => {
      const survivor = await report('board')
      await merge(await report('mobile', { severity: 'critical' }), survivor)
    },
    builder: () =>
      aMergedPair({
        duplicate: { reporter: 'mobile', severity: 'critical' },
        survivor: { reporter: 'board' },
      }),
  },
  'a merged pair, the duplicate resolved': {
    product: async () => {
      const survivor = await report()
      await merge(await resolved(), survivor)
    },
    builder: () => aMergedPair({ duplicate: { status: 'resolved' } }),
  },
  'an overdue one': {
    withTimes: false,
    product: () => swept('low', 169),
    builder: () => anOverdue({ severity: 'low' }),
  },
  'an overdue downtime': {
    withTimes: false,
    product: () => swept('critical', 5),
    builder: () => anOverdue({ severity: 'critical' }),
  },
  'what is not a report': {
    product: async () => post('manager', `/api/incidents/${await report()}/dismiss`),
    builder: () => aDismissed(),
  },
  'what was resolved and is not a report': {
    product: async () => post('manager', `/api/incidents/${await resolved()}/dismiss`),
    builder: () => aDismissed({ status: 'resolved' }),
  },
  'a hidden one': {
    product: async () => post('manager', `/api/incidents/${await report()}/hide`),
    builder: () => aHidden(),
  },
  'a follower': {
    product: async () => app.ask('board', `/api/incidents/${await report()}/follow`, { method: 'POST' }),
    builder: async () => aFollower(await anIncident(), 'board'),
  },
  'a note': {
    product: async () => post('manager', `/api/incidents/${await report()}/notes`, { note: 'Spare key' }),
    builder: async () => aNote(await anIncident(), 'Spare key'),
  },
  'a cost': {
    product: async () =>
      post('manager', `/api/incidents/${await report()}/costs`, { amountCents: 1_250, vendor: 'Lifts Ltd' }),
    builder: async () => aCost(await anIncident(), { amountCents: 1_250, vendor: 'Lifts Ltd' }),
  },
  'an asset in a tower of its own': {
    product: async (name) => {
      const { id: towerId } = await post('manager', '/api/admin/towers', { name })
      await post('manager', '/api/admin/assets', { towerId, name, category: 'Lift' })
    },
    builder: async (name) => anAsset({ towerId: await aTower(name), name }),
  },
  'a contact': {
    product: (name) => post('manager', '/api/admin/contacts', { name, email: 'lifts@outside.test' }),
    builder: (name) => aContact({ name, email: 'lifts@outside.test' }),
  },
  'a user': {
    product: (name) =>
      post('admin', '/api/admin/users', {
        name,
        email: `${name}@outside.test`,
        role: 'board',
        active: true,
        unitId: 2,
      }),
    builder: (name) => aUser({ name, email: `${name}@outside.test`, role: 'board', unitId: 2 }),
  },
  'planned work': {
    product: () => post('manager', '/api/admin/maintenance', { ...work, title: 'Yearly inspection' }),
    builder: () => aWindow(work),
  },
  'a webhook subscription': {
    product: () => post('admin', '/api/admin/webhooks', { ...subscription, active: true }),
    builder: () => aSubscription(subscription),
  },
}

const work = {
  assetId: 8,
  startsAt: new Date('2096-05-06T09:00:00Z'),
  endsAt: new Date('2096-05-06T12:00:00Z'),
}
const subscription = {
  url: 'https://93.184.216.34/hook',
  events: ['incident.created' as const],
  secret: 'a secret of sixteen letters',
}

/** Followed by its reporter, who has a phone, by one of the board, and by an address. */
async function notifiedIncident(name: string): Promise<number> {
  const id = await anIncident()
  await nextMillisecond()
  await aFollower(id, 'board')
  await nextMillisecond()
  await emailFollower(`${name}@outside.test`, [`incident:${id}`])
  await nextMillisecond()
  return id
}

/** Moments in what is compared are told apart by it. */
const nextMillisecond = () => query('select pg_sleep(0.002)')

const byEmail = (from: string) =>
  post('inbound', '/api/inbound-email', { from, subject: 'Noise', text: 'All night' })
const merge = (duplicate: number, targetId: number) =>
  post('manager', `/api/incidents/${duplicate}/merge`, { targetId })

/** Reported so many hours ago, and then the sweep came. */
async function swept(severity: string, hours: number): Promise<void> {
  const id = await report('resident', { severity })
  await query(`update incidents set created_at = created_at - make_interval(hours => $2) where id = $1`, [
    id,
    hours,
  ])
  await query(
    `update asset_impacts set started_at = started_at - make_interval(hours => $2) where incident_id = $1`,
    [id, hours],
  )
  await post('cron', '/api/cron/sweep')
}

describe('a builder', () => {
  beforeAll(async () => {
    for (const who of ['resident', 'board', 'manager', 'admin'] as const) await app.json(who, '/api/account')
    // What the sweep finds late or changed is found before the first comparison.
    await app.json('resident', '/api/devices', { json: { token: 'phone of Maya', platform: 'ios' } })
    await anIncident({ severity: 'critical' })
    await post('cron', '/api/cron/sweep')
    await separateIds(app.url())
  })

  it('writes what the product writes', async () => {
    for (const [what, { product, builder, withTimes, withWaiting }] of Object.entries(cases)) {
      const made = (way: Way, name: string) =>
        differenceMadeBy(() => way(name), { withTimes, withWaiting, name })
      const byProduct = await made(product, 'aster')
      expect(byProduct, what).not.toEqual([])
      expect(await made(builder, 'bryony'), what).toEqual(byProduct)
    }
  })
})
