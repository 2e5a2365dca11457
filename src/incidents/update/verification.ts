import { z } from 'zod'
import { propertyText } from '../../building/property/propertyText.js'
import { change } from '../../platform/db/change.js'
import { both } from '../../platform/http/request/both.js'
import { flag, line, optionalLine } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { config } from '../../platform/ops/config.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { assetsOf, continueImpact } from '../../status/queries/impacts.js'
import { neverRepaired } from '../../vocabulary/assetStatus.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { verification } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import type { SlaTargets } from '../../vocabulary/severity.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'
import { IncidentDetailJson } from '../json.js'
import { actsOnIncidents } from '../page/actsOnIncidents.js'
import { detailOf, incidentPage } from '../page/page.js'
import { refuseHiddenName } from '../protection/hideWords.js'
import { followByActing, markAnswered, markReopened, personOf } from './heard.js'
import { appliedPatch } from './settle.js'
import { addToTimeline } from './timeline.js'
import { leftBy, moveIncident } from './updateIncident.js'

/**
 * A resident's answer on a resolved incident (spec §3): fixed closes it, not fixed reopens it,
 * counting the time since within 72 hours (2.8). `resolvedAt`: the repair asked about. Throws
 * Conflict: the first of several answers wins.
 */
export async function verifyIncident(
  actor: Actor,
  incidentId: number,
  answer: {
    fixed: boolean
    body: string
    targets: SlaTargets
    resolvedAt?: Date
    /** The same words of staff, sent again although they name a hidden reporter (decision 7.13). */
    namedAnyway?: string | null | undefined
  },
): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const asked = answer.resolvedAt ?? incident.resolvedAt
    if (asked?.getTime() !== incident.resolvedAt?.getTime()) throw new Conflict('incident_not_resolved')
    const stamps = verification(incident, answer.fixed, c.now)
    if (isStaff(actor.role ?? 'guest'))
      await refuseHiddenName(c, incidentId, { body: answer.body }, answer.namedAnyway)
    const settled = { ...leftBy(stamps, appliedPatch(incident)), ...(answer.fixed ? repaired(incident) : {}) }
    const { closingReason } = settled
    const updateId = await addToTimeline(c, incidentId, answer.body, stamps.status, { closingReason })
    const { resolvedAt } = incident
    if (!answer.fixed && resolvedAt && neverRepaired(resolvedAt, c.now)) {
      await announceBeforeCorrection(c, await assetsOf(c.query, incidentId))
      await continueImpact(c.query, incidentId, resolvedAt)
    }
    const details = { updateId, verification: true }
    await followByActing(c, incidentId, personOf(c))
    if (answer.fixed) await markAnswered(c, incidentId)
    else {
      await markReopened(c, incidentId, personOf(c))
      const moved = { from: incident.status, to: stamps.status, ...details }
      c.emit({ event: 'incident.reopened', incident: { id: incidentId }, details: moved })
    }
    await moveIncident(c, incident, stamps, {
      action: answer.fixed ? 'incident.verified' : 'incident.reopened',
      details,
      targets: answer.targets,
      settled,
    })
  })
}

/**
 * Who confirms that it is fixed has the last word, also on what the office closed for another
 * reason.
 */
const repaired = ({ closingReason }: Incident) => ({ closingReason: closingReason && ('fixed' as const) })

/** The verification request (spec §2); `body` says what is still wrong (decision 2.4). */
export const VerificationRequest = z
  .object({
    fixed: flag('fixed'),
    body: optionalLine('body', limits.text),
    namedAnyway: line('body', limits.text, 0).nullish(),
  })
  .meta({ id: 'VerificationRequest' })

/** Is it fixed? (spec §3, §5 rule 7) */
export const verificationRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/verify'),
    summary: 'Answers whether a resolved incident is fixed: yes closes it, no reopens it.',
    permission: 'incident.verify',
    throttle: 'writes',
    body: VerificationRequest,
    elsewhere: { photos: actsOnIncidents.photos },
    answer: IncidentDetailJson,
    form: { view: 'incidents/show', name: 'verify', load: incidentPage },
    handle: async ({ params: { id }, body: { fixed, body: said, namedAnyway }, actor, viewer }) => {
      await verifyIncident(actor, id, {
        fixed,
        body: said || (await propertyText()).incident.verdict[fixed ? 'fixed' : 'notFixed'],
        targets: config.slaTargets,
        namedAnyway,
      })
      return {
        data: await detailOf(id, viewer),
        location: `/incidents/${id}`,
        notice: fixed ? 'verified' : 'reopened',
      }
    },
  }),
]
