import { setTimeout as sleep } from 'node:timers/promises'
import { User } from '../accounts/users/user.js'
import { Asset, Unit } from '../building/building.js'
import { addCost } from '../incidents/acts/costs.js'
import { patchIncident } from '../incidents/acts/patchIncident.js'
import { reportIncident } from '../incidents/acts/reportIncident.js'
import { ReportRequest } from '../incidents/pages/reporting/reportRequest.js'
import { type Change, change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import { liveAssets } from '../status/queries/liveStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { demoEmails } from '../vocabulary/people/demo.js'
import { DAY, HOUR } from '../vocabulary/time/calendar.js'
import { build, buildingRequest } from './build.js'
import { demoPeople, demoTowers, demoUnits, towerOf, unitOf } from './directory.js'
import {
  actsOf,
  type DemoAct,
  type Expected,
  type Story,
  type StoryPerson,
  stories,
  takePhotos,
} from './story.js'

/** The rows that stories refer to, by their names. */
export type Cast = { users: Map<StoryPerson, User>; assets: Map<string, number>; units: Map<string, number> }

/** Reads the cast from the database: another process may have built it. */
export async function readCast(): Promise<Cast> {
  const [users, assets, homes] = await Promise.all([User.query(), Asset.inUse(), Unit.all()])
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const named = Object.entries(demoPeople).map(
    ([key, { email }]) => [key, byEmail.get(email)!] as [StoryPerson, User],
  )
  const byAddress = new Map(homes.map(({ id, towerName, number }) => [`${towerName} ${number}`, id]))
  return {
    users: new Map([...named, ['mobile', users.find((user) => user.isMobileReporter)!]]),
    assets: new Map(assets.map(({ id, code }) => [code!, id])),
    units: new Map(
      demoUnits.map((key) => [key, byAddress.get(`${demoTowers[towerOf(key)]} ${unitOf(key).number}`)!]),
    ),
  }
}

/** Where the incident is: an asset or a unit, never both. */
export function placeOf(story: Story, cast: Cast): { assetId: number | null; unitId: number | null } {
  if ('asset' in story) return { assetId: cast.assets.get(story.asset)!, unitId: null }
  return { assetId: null, unitId: cast.units.get(story.unit)! }
}

/** The act's person, through the app for the app's key; the act's key becomes the request id. */
function actorOf(act: DemoAct, cast: Cast): Actor {
  const person = act.turn?.by ?? act.story.by
  const { id, name, role } = cast.users.get(person)!
  const via = person === 'mobile' ? 'mobile' : 'web'
  return { type: 'user', id, name, role, via, requestId: `${actRequest}${act.key}`, past: act.at }
}

/** Prefix of the request ids of the history's acts. */
export const actRequest = 'demo/act/'

/**
 * Does the acts in order, each in its own change and as its person, through the actions that
 * requests use. Skips those already in the audit log, from an interrupted start.
 */
export async function performActs(acts: readonly DemoAct[]): Promise<void> {
  const cast = await readCast()
  const done = await actsDone()
  const incidents = new Map<Story, number>()
  for (const act of acts) {
    const incidentId = done.get(act.key) ?? (await perform(act, cast, incidents.get(act.story)))
    incidents.set(act.story, incidentId)
  }
}

/** The incident of each act done so far, by the act's key. */
async function actsDone(): Promise<Map<string, number>> {
  const rows = await query<{ key: string; incidentId: number }>(
    `select substr(request_id, length($1) + 1) as key, entity_id as incident_id
     from audit_entries where starts_with(request_id, $1)`,
    [actRequest],
  )
  return new Map(rows.map(({ key, incidentId }) => [key, incidentId]))
}

async function perform(act: DemoAct, cast: Cast, incidentId: number | undefined): Promise<number> {
  const actor = actorOf(act, cast)
  if (incidentId === undefined) return report(actor, act.story, cast)
  if (act.turn && 'cost' in act.turn) await addCost(actor, incidentId, { ...act.turn.cost, incurredOn: null })
  else if (act.turn && 'expected' in act.turn) await expectBack(actor, incidentId, act.turn.expected)
  else if (act.turn) {
    const { body, newStatus, photos } = act.turn
    const stored = await takePhotos(photos)
    if (newStatus === 'verified') await patchIncident(actor, incidentId, { body, move: 'fixed' })
    else await patchIncident(actor, incidentId, { body, newStatus }, { photos: { stored, staged: [] } })
  }
  return incidentId
}

async function report(actor: Actor, story: Story, cast: Cast): Promise<number> {
  const { title, description, severity, isAnonymous, photos } = story
  const stored = await takePhotos(photos)
  const place = placeOf(story, cast)
  const fields = ReportRequest.parse({ title, description, severity, isAnonymous, ...place })
  const { incident } = await reportIncident(actor, fields, { stored, staged: [] })
  return incident.id
}

async function expectBack(actor: Actor, incidentId: number, { reason, hoursAhead }: Expected): Promise<void> {
  const nextHour = Math.ceil(Date.now() / HOUR) * HOUR
  const expectedBackAt = new Date(nextHour + hoursAhead * HOUR)
  await patchIncident(actor, incidentId, { statusReason: reason, expectedBackAt })
}

/** Stores each live status as announced, so that the first check sends no news (decision 3.5). */
export async function announceQuietly(c: Change): Promise<void> {
  for (const { id, announced, status } of await liveAssets(c.query)) {
    await c
      .trx('assets')
      .where({ id })
      .update({ announcedStatus: status, announcedAt: c.trx.raw('clock_timestamp()') })
    if (announced === status) continue
    c.audit(
      'asset.status_changed',
      id,
      changesBetween({ announcedStatus: announced }, { announcedStatus: status }),
    )
  }
}

/** Advisory lock; any constant, the same in every version of Caretaker. */
export const seedLock = 726_002
/** Milliseconds: a demo building takes half a minute on a slow machine. */
const longestWait = 300_000
const lookEvery = 250
const endRequest = 'demo/end'
/** The building is set up before its first story; a later start derives `now` from it. */
const setUpBefore = 120 * DAY

/**
 * Fills an empty database with the demo (decision 5.4); false if there is an asset or a user
 * already. One process works under a lock; acts commit singly, so that a restart goes on where a
 * killed start stopped.
 */
export async function seedDemo(): Promise<boolean> {
  if (!(await needsDemo())) return false
  const actor: Actor = { ...systemActor('cli'), requestId: endRequest }
  return change(actor, async (c) => {
    await waitForTurn(c)
    const found = await seedState(c.query)
    if (isDone(found)) {
      c.noop()
      return false
    }
    const now = found.setUpAt ? new Date(found.setUpAt.getTime() + setUpBefore) : c.now
    if (!found.setUpAt) await build(new Date(now.getTime() - setUpBefore), now)
    await performActs(actsOf(stories(), now.getTime()))
    await announceQuietly(c)
    return true
  })
}

/** Whether the demo building is still to be made or completed. */
export async function needsDemo(): Promise<boolean> {
  return !isDone(await seedState(query))
}

/** The addresses of the demo's accounts that this building has and that can sign in. */
export async function demoAccounts(): Promise<string[]> {
  const users = await User.query().where({ active: true }).whereIn('email', demoEmails)
  return demoEmails.filter((address) => users.some(({ email }) => email === address))
}

type SeedState = { setUpAt: Date | null; ended: boolean; inhabited: boolean }

const isDone = ({ setUpAt, ended, inhabited }: SeedState) => ended || (inhabited && setUpAt === null)

async function seedState(run: Query): Promise<SeedState> {
  const [row] = await run<SeedState>(
    `select
       (select at from audit_entries where action = 'property.updated' and request_id = $1 limit 1) as set_up_at,
       exists (select from audit_entries where action = 'asset.status_changed' and request_id = $2) as ended,
       exists (select from assets) or exists (select from users where not is_mobile_reporter) as inhabited`,
    [buildingRequest, endRequest],
  )
  return row!
}

/**
 * This transaction idles while the acts run on other connections: longer than the usual limits. It
 * asks for the lock again and again, as a statement that waits for it is cut off after seconds, and
 * a slow machine fills for longer.
 */
async function waitForTurn(c: Change): Promise<void> {
  await c.query('set local idle_in_transaction_session_timeout = 0')
  const until = performance.now() + longestWait
  for (;;) {
    const [row] = await c.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [seedLock])
    if (row!.got) return
    if (performance.now() > until)
      throw new Error('Another process is still adding the demo building to this database.')
    await sleep(lookEvery)
  }
}
