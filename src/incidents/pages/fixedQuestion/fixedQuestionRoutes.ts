import { z } from 'zod'
import { User } from '../../../accounts/users/user.js'
import { idempotently } from '../../../platform/db/idempotently.js'
import type { Context } from '../../../platform/http/context.js'
import { keyOfForm, requestDigest } from '../../../platform/http/request/idempotency.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { emptyBody } from '../../../platform/http/route/fields.js'
import { linkRoute } from '../../../platform/http/route/linkRoute.js'
import { route } from '../../../platform/http/route/route.js'
import { askedBy } from '../../../platform/http/session/authenticate.js'
import type { EmailLink } from '../../../platform/links/emailLinks.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import { patchIncident } from '../../acts/patchIncident.js'
import { undoConfirmation } from '../../acts/undoConfirmation.js'
import type { ListedIncident } from '../../model/entity.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { mayUndoConfirmation } from '../../model/undoableConfirmation.js'
import {
  currentAnswer,
  fixedQuestionPage,
  lacksWords,
  offerAsComment,
  questionState,
  VerificationRequest,
  verificationPatch,
} from './fixedQuestion.js'

/** `no`: the link of that answer was opened, so its reason comes first. */
const FixedQuestionQuery = z.object({ no: z.literal('1', 'not_acceptable').optional() })

const shared = {
  paths: '/fixed/:token',
  permission: 'incident.answer',
  answer: page,
  ...linkRoute('answer', fixedQuestion),
} as const

/**
 * The page behind the links of an email that asks whether an incident is fixed. It needs no session
 * and can do nothing else.
 */
export const fixedQuestionRoutes = [
  route({
    ...shared,
    method: 'get',
    summary: 'The page behind an email’s link that asks whether an incident is fixed.',
    query: FixedQuestionQuery,
    handle: async ({ ctx, subject, query: { no } }) => ({
      view: 'incidents/fixedQuestion',
      extras: { ...(await linkPage(ctx, subject)), no: no !== undefined },
    }),
  }),

  route({
    ...shared,
    method: 'post',
    summary: 'Answers whether it is fixed for the person the email went to, once for each repair.',
    body: VerificationRequest,
    form: {
      view: 'incidents/fixedQuestion',
      load: async (ctx) => linkPage(ctx, await shared.subject({ ctx })),
      secret: true,
    },
    handle: async ({ ctx, params, subject, body }) => {
      const location = `/fixed/${params.token}`
      const { actor, incident, resolvedAt } = subject
      try {
        if (body.body && !body.fixed && questionState(incident, resolvedAt) === 'notFixed') {
          await explainNotFixed(ctx, subject, body.body)
          return { location, notice: 'commented' }
        }
        if (questionState(incident, resolvedAt) !== 'open') throw new Conflict('incident_not_resolved')
        await patchIncident(actor, incident.id, await verificationPatch(body), { resolvedAt })
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
        // Someone was quicker: the page says how it is answered, unless there are words to keep.
        if (!body.body) return { location }
        offerAsComment(ctx, orNotFound(await findListedIncident(incident.id)), actor, body)
        throw error
      }
      return { location, notice: body.fixed ? 'verified' : 'reopened' }
    },
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/fixed/:token/undo',
    summary: 'Takes back the confirmation that this link gave, within 10 minutes.',
    body: emptyBody,
    handle: async ({ params, subject: { actor, incident } }) => {
      const location = `/fixed/${params.token}`
      try {
        await undoConfirmation(actor, incident.id)
      } catch (error) {
        if (error instanceof Conflict) return { location, notice: `refused-${error.code}` }
        throw error
      }
      return { location, notice: 'confirmationUndone' }
    },
  }),
]

/** The question of one repair, and the person that the email went to. */
type FixedQuestion = { incident: ListedIncident; actor: Actor; resolvedAt: Date }

/** What the link asks of whom; null when it is too old or of an account no longer in use. */
async function fixedQuestion(link: EmailLink<'answer'>, ctx: Context): Promise<FixedQuestion | null> {
  const user = 'userId' in link ? await User.query().findById(link.userId) : null
  const incident = await findListedIncident(link.data.incidentId)
  if (link.isOver || !user?.active || !incident) return null
  // An email is no session: it carries no powers of the office, whoever it went to (decision 7.3).
  const actor = { type: 'user', id: user.id, name: user.name, role: 'resident', via: 'email' } as const
  return { incident, resolvedAt: new Date(link.data.resolvedAt), actor: { ...actor, ...askedBy(ctx.state) } }
}

/**
 * Adds what is still wrong to a "no" of this person that said nothing more, once. Throws Conflict
 * where there is no such answer.
 */
async function explainNotFixed(
  ctx: Context,
  { actor, incident, resolvedAt }: FixedQuestion,
  body: string,
): Promise<void> {
  const key = keyOfForm(ctx)
  const writer = { ...actor, idempotency: { key, digest: requestDigest(ctx) } }
  await idempotently(writer, async () => {
    const answer = await currentAnswer(incident, resolvedAt)
    if (answer === null || answer.authorId !== actor.id || !lacksWords(answer))
      throw new Conflict('incident_not_resolved')
    return (await patchIncident(writer, incident.id, { body }))!
  })
}

/** The page behind the link, for the person that the email went to. */
async function linkPage(ctx: Context, question: FixedQuestion): Promise<Record<string, unknown>> {
  const { actor, incident, resolvedAt } = question
  const action = `/fixed/${ctx.params.token}`
  const undo = (await mayUndoConfirmation(actor, incident)) ? `${action}/undo` : null
  const addresses = { action, back: action, explain: action, undo }
  return fixedQuestionPage(ctx, incident, { repairedAt: resolvedAt, readerId: actor.id }, addresses)
}
