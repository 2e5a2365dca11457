import { build } from '../../../src/demo/build.js'
import { demoPeople } from '../../../src/demo/directory.js'
import { actRequest, announceQuietly, type Cast, placeOf, readCast } from '../../../src/demo/seed.js'
import {
  actsOf,
  type Cost,
  type DemoAct,
  type Expected,
  type Story,
  type StoryPerson,
  stories,
  takePhotos,
} from '../../../src/demo/story.js'
import { change } from '../../../src/platform/db/change.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { insertCost, insertPhotos } from './additions.js'
import { aComment, anAnswer, aVerification } from './answers.js'
import { anIncident } from './incident.js'
import { accountOf, auditEntry, type Person, updateRow } from './rows.js'

const [hour, day] = [3_600_000, 86_400_000]

/**
 * Fills an empty database with the demo building, its history written by builders: a rule that is
 * wrong fails its own tests, not the building of all others. demo.test.ts compares it with what the
 * product makes of the same stories.
 */
export async function fillWithDemo(): Promise<void> {
  const now = Date.now()
  await build(new Date(now - 120 * day), new Date(now))
  await tellDemo(now)
  await change({ ...systemActor('cli'), requestId: 'demo/end' }, announceQuietly)
}

/** Writes the history into a building that stands already, as seen from `now` (epoch ms). */
export async function tellDemo(now: number): Promise<void> {
  const cast = await readCast()
  const incidents = new Map<Story, number>()
  for (const act of actsOf(stories(), now)) {
    const incidentId = incidents.get(act.story)
    if (incidentId === undefined) incidents.set(act.story, await opened(act, cast))
    else await continued(act, incidentId)
  }
}

const personOf = (teller: StoryPerson): Person => (teller === 'mobile' ? teller : demoPeople[teller].email)

async function opened({ key, at, story }: DemoAct, cast: Cast): Promise<number> {
  const { title, description, severity, isAnonymous, photos } = story
  return anIncident({
    title,
    description,
    severity,
    ...placeOf(story, cast),
    reporter: personOf(story.by),
    isAnonymous,
    createdAt: at,
    photos: await takePhotos(photos),
    requestId: `${actRequest}${key}`,
  })
}

async function continued({ key, at, turn }: DemoAct, incidentId: number): Promise<void> {
  const written = { by: personOf(turn!.by), at, requestId: `${actRequest}${key}` }
  if ('cost' in turn!) await anInvoice(incidentId, turn.cost, written)
  else if ('expected' in turn!) await aPromise(incidentId, turn.expected, written)
  else if (turn!.newStatus === 'verified')
    await aVerification(incidentId, { ...written, fixed: true, body: turn!.body })
  else {
    const { body, newStatus, photos } = turn!
    const updateId = newStatus
      ? await anAnswer(incidentId, { ...written, body, status: newStatus })
      : await aComment(incidentId, { ...written, body })
    await insertPhotos(incidentId, updateId, at, await takePhotos(photos))
  }
}

type Written = { by: Person; at: Date; requestId: string }

async function anInvoice(incidentId: number, cost: Cost, { by: person, at, requestId }: Written) {
  const by = await accountOf(person)
  const { id, incurredOn } = await insertCost(incidentId, by.id, at, cost)
  const changes = changesBetween(null, { costId: id, ...cost, incurredOn })
  await auditEntry({ by, action: 'incident.cost_added', entityId: incidentId, at, changes, requestId })
}

/** A correction that says when it should work again, by the next full hour. */
async function aPromise(
  incidentId: number,
  { reason, hoursAhead }: Expected,
  { by: person, at, requestId }: Written,
): Promise<void> {
  const by = await accountOf(person)
  const expectedBackAt = new Date(Math.ceil(Date.now() / hour) * hour + hoursAhead * hour)
  await updateRow('incidents', incidentId, { expected_back_at: expectedBackAt, status_reason: reason })
  const changes = changesBetween({}, { expectedBackAt, statusReason: reason })
  await auditEntry({ by, action: 'incident.edited', entityId: incidentId, at, changes, requestId })
}
