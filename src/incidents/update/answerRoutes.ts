import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { page } from '../../platform/http/route/answer.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { route } from '../../platform/http/route/route.js'
import { askedBy } from '../../platform/http/session/authenticate.js'
import { User } from '../../platform/http/session/user.js'
import type { EmailLink } from '../../platform/mail/emailLinks.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { unrepaired } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { Incident, type ListedIncident } from '../incident.js'
import { patchIncident } from './patchIncident.js'
import { VerificationRequest, verificationPatch } from './routes.js'

/** `no`: the link of that answer was opened, so its reason comes first. */
const AnswerQuery = z.object({ no: z.literal('1', 'not_acceptable').optional() })

const shared = {
  paths: '/fixed/:token',
  permission: 'incident.answer',
  answer: page,
  ...linkRoute('answer', asked),
} as const

/**
 * The page behind the links of an email that asks whether an incident is fixed. It needs no session
 * and can do nothing else.
 */
export const answerRoutes = [
  route({
    ...shared,
    method: 'get',
    summary: 'The page behind an email’s link that asks whether an incident is fixed.',
    query: AnswerQuery,
    handle: ({ ctx, subject, query: { no } }) => ({
      view: 'incidents/answer',
      extras: { ...answerPage(ctx, subject), no: no !== undefined },
    }),
  }),

  route({
    ...shared,
    method: 'post',
    summary: 'Answers whether it is fixed for the person the email went to, once for each repair.',
    body: VerificationRequest,
    form: {
      view: 'incidents/answer',
      load: async (ctx) => answerPage(ctx, await shared.subject({ ctx })),
      secret: true,
    },
    handle: async ({ params, subject, body }) => {
      const location = `/fixed/${params.token}`
      if (stateOf(subject) !== 'asked') return { location }
      const { actor, incident, resolvedAt } = subject
      try {
        await patchIncident(actor, incident.id, await verificationPatch(body), { resolvedAt })
      } catch (error) {
        // Someone was quicker: the page says how it is answered.
        if (error instanceof Conflict) return { location }
        throw error
      }
      return { location, notice: body.fixed ? 'verified' : 'reopened' }
    },
  }),
]

type Answering = { incident: ListedIncident; actor: Actor; resolvedAt: Date }

/** What the link asks of whom; null when it is too old or of an account no longer in use. */
async function asked(link: EmailLink<'answer'>, ctx: Context): Promise<Answering | null> {
  const user = 'userId' in link ? await User.query().findById(link.userId) : null
  const incident = await Incident.find(link.data.incidentId)
  if (link.isOver || !user?.active || !incident) return null
  // An email is no session: it carries no powers of the office, whoever it went to (decision 7.3).
  const actor = { type: 'user', id: user.id, name: user.name, role: 'resident', via: 'email' } as const
  return { incident, resolvedAt: new Date(link.data.resolvedAt), actor: { ...actor, ...askedBy(ctx.state) } }
}

/** Whether the question still stands, or how it was answered. */
function stateOf({ incident, resolvedAt }: Answering): 'asked' | 'merged' | 'fixed' | 'notFixed' | 'earlier' {
  if (incident.mergedIntoId !== null) return 'merged'
  if (incident.resolvedAt === null) return 'notFixed'
  if (incident.resolvedAt.getTime() !== resolvedAt.getTime()) return 'earlier'
  return incident.status === 'resolved' ? 'asked' : 'fixed'
}

/** The page names no one, because emails are forwarded with their links. */
function answerPage(ctx: Context, answering: Answering): Record<string, unknown> {
  const { id, title, mergedIntoId, status, closingReason } = answering.incident
  return {
    state: stateOf(answering),
    incident: { id: mergedIntoId ?? id, title, status },
    why: unrepaired(status, closingReason),
    resolvedAt: answering.resolvedAt.toISOString(),
    action: `/fixed/${ctx.params.token}`,
  }
}
