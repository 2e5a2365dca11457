import { User } from '../accounts/users/user.js'
import { Asset, Unit } from '../building/building.js'
import { addCost } from '../incidents/acts/costs.js'
import { patchIncident } from '../incidents/acts/patchIncident.js'
import { reportIncident } from '../incidents/acts/reportIncident.js'
import { ReportRequest } from '../incidents/pages/reporting/reportRequest.js'
import { query } from '../platform/db/database.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { HOUR } from '../vocabulary/time/calendar.js'
import { demoPeople, demoTowers, demoUnits, towerOf, unitOf } from './directory.js'
import { type DemoAct, type Expected, type Story, type StoryPerson, takePhotos } from './story.js'

/** The rows that stories refer to, by their names. */
export type Cast = { users: Map<StoryPerson, User>; assets: Map<string, number>; units: Map<string, number> }

/** Reads the cast from the database: another process may have built it. */
export async function readCast(): Promise<Cast> {
  const [users, assets, homes] = await Promise.all([User.query(), Asset.inUse(), Unit.all()])
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const people = Object.entries(demoPeople).map(
    ([key, { email }]) => [key, byEmail.get(email)!] as [StoryPerson, User],
  )
  const byAddress = new Map(homes.map(({ id, towerName, number }) => [`${towerName} ${number}`, id]))
  return {
    users: new Map([...people, ['mobile', users.find((user) => user.isMobileReporter)!]]),
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
