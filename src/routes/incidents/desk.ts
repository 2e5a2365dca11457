import { z } from 'zod'
import {
  acknowledgeIncidents,
  assignIncidents,
  type ManyResult,
  mostAtOnce,
} from '../../actions/incidents/manyIncidents.js'
import { markSeen } from '../../actions/incidents/markSeen.js'
import { config } from '../../config.js'
import { Asset, Unit } from '../../models/building/building.js'
import { startState } from '../../models/building/start.js'
import {
  cameBack,
  failedDeliveries,
  unacknowledged,
  unanswered,
  unconfirmed,
  untriaged,
  windowsAhead,
} from '../../models/incidents/desk.js'
import { failingMessages } from '../../models/mail/failing.js'
import { mailsToSort } from '../../models/mail/heldMail.js'
import { sendingPaused } from '../../models/system/sending.js'
import { propertyText } from '../../pages/propertyText.js'
import { presentStart } from '../../presenters/building/start.js'
import {
  DeskJson,
  presentDeskList,
  presentFailed,
  presentPaused,
  presentWordList,
  startingToday,
} from '../../presenters/incidents/desk.js'
import { ManyJson } from '../../presenters/incidents/many.js'
import type { Context } from '../../web/context.js'
import { can } from '../../web/request/allow.js'
import { both } from '../../web/request/both.js'
import { id } from '../../web/request/input.js'
import { route } from '../../web/route/route.js'

/** Ids as JSON numbers, or as the ticked boxes of a form. */
export const chosenIds = z
  .array(z.coerce.number('incident_unknown').pipe(id('incident')), {
    error: ({ input: given }) => (given === undefined ? 'ids_required' : 'incident_unknown'),
  })
  .max(mostAtOnce, 'ids_too_many')

/** `only`: the button of one row. */
const chosen = { ids: chosenIds.default([]), only: id('incident').optional() }
const needsOne = { path: ['ids'], message: 'ids_required', when: () => true }
const some = ({ ids, only }: { ids?: unknown[]; only?: unknown }) =>
  only !== undefined || (ids ?? []).length > 0

const AcknowledgeRequest = z.object(chosen).refine(some, needsOne).meta({ id: 'AcknowledgeRequest' })
const AssignRequest = z
  .object({ ...chosen, assetId: id('asset').nullish(), unitId: id('unit').nullish() })
  .refine(some, needsOne)
  .refine(({ assetId, unitId }) => Boolean(assetId) !== Boolean(unitId), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'AssignRequest' })

/** `upTo`: the newest entry that whoever ticks has seen; without it, all there is. */
const SeenRequest = z
  .object({ ...chosen, upTo: id('update').nullish() })
  .refine(some, needsOne)
  .meta({ id: 'SeenRequest' })

const formCalled = (name: string) => ({ view: 'incidents/desk', name, load: deskPage })

/** The desk: everything that needs a person now, with the next action on each row. */
export const deskRoutes = [
  route({
    method: 'get',
    paths: both('/admin'),
    summary: 'What needs a person of the office now.',
    permission: 'office.read',
    answer: DeskJson,
    handle: async ({ ctx }) => {
      const data = await desk(ctx)
      return {
        data,
        view: 'incidents/desk',
        extras: async () => ({ ...(await pageOnly(data)), start: await startLeft(ctx) }),
      }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/acknowledge'),
    summary: 'Acknowledges several incidents.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: AcknowledgeRequest,
    answer: ManyJson,
    form: formCalled('acknowledge'),
    handle: async ({ body: { ids, only }, actor }) => {
      const words = (await propertyText()).desk.acknowledgedEntry
      return answer(await acknowledgeIncidents(actor, only ? [only] : ids, words, config.slaTargets))
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/seen'),
    summary: 'Ticks off incidents with words that need no answer.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: SeenRequest,
    answer: ManyJson,
    form: formCalled('seen'),
    handle: async ({ body: { ids, only, upTo }, actor }) =>
      answer(await markSeen(actor, only ? [only] : ids, upTo ?? null)),
  }),

  route({
    method: 'post',
    paths: both('/admin/assign'),
    summary: 'Says of several incidents what asset or unit they are about.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: AssignRequest,
    answer: ManyJson,
    form: formCalled('assign'),
    handle: async ({ body: { ids, only, assetId, unitId }, actor }) => {
      const place = assetId ? { assetId } : { unitId: unitId! }
      return answer(await assignIncidents(actor, only ? [only] : ids, place))
    },
  }),
]

function answer(data: ManyResult) {
  return { data, location: '/admin', notice: data.skipped.length > 0 ? 'someDone' : 'done' }
}

async function desk(ctx: Context): Promise<z.output<typeof DeskJson>> {
  const { viewer } = ctx.state
  const { property } = await ctx.state.building()
  const [paused, mails, back, asked, waiting, sorting, confirming, failed, failing, windows] =
    await Promise.all([
      sendingPaused(),
      mailsToSort(),
      cameBack(),
      unanswered(),
      unacknowledged(config.slaTargets),
      untriaged(),
      unconfirmed(),
      failedDeliveries(),
      failingMessages(),
      windowsAhead(),
    ])
  return {
    sendingPaused: presentPaused(paused),
    mailsToSort: mails,
    cameBack: presentWordList(back, config.slaTargets, viewer),
    unanswered: presentWordList(asked, config.slaTargets, viewer),
    untriaged: presentDeskList(sorting, config.slaTargets, viewer),
    unacknowledged: presentDeskList(waiting, config.slaTargets, viewer),
    unconfirmed: presentDeskList(confirming, config.slaTargets, viewer),
    failed: presentFailed(failed, failing),
    startingToday: startingToday(windows, property.timezone, Date.now()),
  }
}

/** The whole page, for a refused form. */
async function deskPage(ctx: Context): Promise<Record<string, unknown>> {
  const data = await desk(ctx)
  return { data, ...(await pageOnly(data)) }
}

/** Whether an admin is to be led through the first steps of the building. */
async function startLeft(ctx: Context): Promise<boolean> {
  if (!can(ctx, 'user.manage')) return false
  const { dismissed, done } = presentStart(await startState())
  return !dismissed && !done
}

async function pageOnly(data: z.output<typeof DeskJson>): Promise<Record<string, unknown>> {
  const [assets, units] = await Promise.all([Asset.inUse(), Unit.all()])
  const lists = [data.cameBack, data.unanswered, data.untriaged, data.unacknowledged, data.unconfirmed]
  const counts = [
    data.mailsToSort,
    ...lists.map(({ total }) => total),
    ...[
      data.startingToday.length,
      data.failed.messages,
      data.failed.stuck.length,
      data.failed.receivers.length,
    ],
  ]
  const nothingToDo = data.sendingPaused === null && counts.every((n) => n === 0)
  const words = [...data.cameBack.rows, ...data.unanswered.rows].flatMap(({ lastWord }) => lastWord?.id ?? [])
  return { assets, units, nothingToDo, seenUpTo: Math.max(0, ...words), now: Date.now() }
}
