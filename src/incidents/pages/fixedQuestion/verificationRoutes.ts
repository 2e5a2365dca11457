import { idempotently } from '../../../platform/db/idempotently.js'
import type { Context } from '../../../platform/http/context.js'
import { both } from '../../../platform/http/paths.js'
import { pathId } from '../../../platform/http/request/query.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { route } from '../../../platform/http/route/route.js'
import { authorTag } from '../../../platform/http/session/csrf.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { patchIncident } from '../../acts/patchIncident.js'
import { IncidentDetailJson } from '../../model/json/incidentDetailJson.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { detailOf } from '../incidentPage.js'
import { fixedQuestionPage, offerAsComment, VerificationRequest, verificationPatch } from './fixedQuestion.js'

/**
 * Is it fixed? (spec §3, §5 rule 7) Yes closes it, no reopens it; the first of several answers
 * wins.
 */
export const verificationRoutes = [
  route({
    method: 'get',
    paths: '/incidents/:id/verify',
    summary: 'The form that says what is still wrong with what was marked as fixed.',
    permission: 'incident.verify',
    keptOffline: true,
    answer: page,
    handle: async ({ ctx, params: { id } }) => ({
      view: 'incidents/fixedQuestion',
      extras: await questionOf(ctx, id),
    }),
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/verify'),
    group: 'incidents',
    summary: 'Answers whether a resolved incident is fixed: yes closes it, no reopens it.',
    permission: 'incident.verify',
    throttle: 'writes',
    idempotent: true,
    // The same answer to a later repair is another one.
    sameForm: () => null,
    body: VerificationRequest,
    movedFields: { photos: 'POST /api/incidents/:id/updates (photos[])' },
    answer: IncidentDetailJson,
    form: {
      view: 'incidents/fixedQuestion',
      load: (ctx) => questionOf(ctx, pathId(ctx)),
    },
    handle: async ({ ctx, params: { id }, body, actor, viewer }) => {
      try {
        const patch = await verificationPatch(body)
        const resolvedAt = body.repairedAt ? new Date(body.repairedAt) : undefined
        await idempotently(actor, async () => (await patchIncident(actor, id, patch, { resolvedAt })) ?? id)
      } catch (error) {
        if (error instanceof Conflict)
          offerAsComment(ctx, orNotFound(await findListedIncident(id)), actor, body)
        throw error
      }
      return {
        data: () => detailOf(id, viewer),
        location: `/incidents/${id}`,
        notice: body.fixed ? 'verified' : 'reopened',
      }
    },
  }),
]

/** The page that asks signed-in people. */
async function questionOf(ctx: Context, id: number): Promise<Record<string, unknown>> {
  const incident = orNotFound(await findListedIncident(id))
  const page = `/incidents/${id}`
  const addresses = { action: `${page}/verify`, back: page, explain: `${page}/updates`, undo: null }
  const { user } = ctx.state
  return {
    ...(await fixedQuestionPage(ctx, incident, { repairedAt: null, readerId: user?.id ?? null }, addresses)),
    writer: user ? authorTag(user.id) : '',
  }
}
