import { z } from 'zod'
import { propertyText } from '../../building/property/propertyText.js'
import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { type Asked, readAnswerToken } from '../../platform/http/session/answerToken.js'
import { askedBy } from '../../platform/http/session/authenticate.js'
import { User } from '../../platform/http/session/user.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { unrepaired } from '../../vocabulary/reasons.js'
import { Incident, type ListedIncident } from '../incident.js'
import { patchIncident } from './patchIncident.js'
import { VerificationRequest } from './verification.js'

/** Days a link in an email can answer, from the repair on (decision 7.15). */
const answerDays = 30

/** `no`: the link of that answer was opened, so its reason comes first. */
const AnswerQuery = z.object({ no: z.literal('1', 'not_acceptable').optional() })
const token = z.string()

/**
 * The page behind the links of an email that asks whether an incident is fixed. It needs no session
 * and can do nothing else; GET changes nothing, because email scanners open links.
 */
export const answerRoutes = [
  route({
    method: 'get',
    paths: '/fixed/:token',
    summary: 'The page behind an email’s link that asks whether an incident is fixed.',
    permission: 'incident.answer',
    confidential: true,
    params: { token },
    query: AnswerQuery,
    answer: page,
    handle: async ({ ctx, query: { no } }) => ({
      view: 'incidents/answer',
      extras: { ...(await answerPage(ctx)), no: no !== undefined },
    }),
  }),

  route({
    method: 'post',
    paths: '/fixed/:token',
    summary: 'Answers whether it is fixed for the person the email went to, once for each repair.',
    permission: 'incident.answer',
    confidential: true,
    params: { token },
    subject: async ({ ctx }) => asked(ctx),
    body: VerificationRequest,
    answer: page,
    form: { view: 'incidents/answer', load: answerPage, secret: true },
    handle: async ({ params, subject, body: { fixed, body: said, namedAnyway } }) => {
      const location = `/fixed/${params.token}`
      if (stateOf(subject) !== 'asked') return { location }
      const { actor, incident, resolvedAt } = subject
      const move = fixed ? 'fixed' : 'notFixed'
      const patch = {
        body: said || (await propertyText()).incident.verdict[move],
        move,
        namedAnyway,
      } as const
      const done = await patchIncident(actor, incident.id, patch, { resolvedAt }).then(
        () => true,
        answeredMeanwhile,
      )
      return { location, ...(done ? { notice: fixed ? 'verified' : 'reopened' } : {}) }
    },
  }),
]

/** Someone was quicker: the page says how it is answered. */
function answeredMeanwhile(error: unknown): false {
  if (!(error instanceof Conflict)) throw error
  return false
}

type Answering = Asked & { incident: ListedIncident; actor: Actor }

/**
 * What the link in the address asks of whom. Throws 404 when it is forged, too old or of an account
 * no longer in use.
 */
async function asked(ctx: Context): Promise<Answering> {
  const given = readAnswerToken(ctx.params.token!)
  const user = given && (await User.query().findById(given.userId))
  const incident = given && (await Incident.find(given.incidentId))
  const age = given ? Date.now() - given.resolvedAt.getTime() : Number.POSITIVE_INFINITY
  if (!user?.active || !incident || age > answerDays * 86_400_000) throw new Problem(404, 'answer_link_over')
  // An email is no session: it carries no powers of the office, whoever it went to (decision 7.3).
  const actor = { type: 'user', id: user.id, name: user.name, role: 'resident', via: 'email' } as const
  return { ...given, incident, actor: { ...actor, ...askedBy(ctx.state) } }
}

/** Whether the question still stands, or how it was answered. */
function stateOf({ incident, resolvedAt }: Answering): 'asked' | 'merged' | 'fixed' | 'notFixed' | 'earlier' {
  if (incident.mergedIntoId !== null) return 'merged'
  if (incident.resolvedAt === null) return 'notFixed'
  if (incident.resolvedAt.getTime() !== resolvedAt.getTime()) return 'earlier'
  return incident.status === 'resolved' ? 'asked' : 'fixed'
}

/** The page names no one, because emails are forwarded with their links. */
async function answerPage(ctx: Context): Promise<Record<string, unknown>> {
  const answering = await asked(ctx)
  const { id, title, mergedIntoId, status, closingReason } = answering.incident
  return {
    state: stateOf(answering),
    incident: { id: mergedIntoId ?? id, title, status },
    why: unrepaired(status, closingReason),
    resolvedAt: answering.resolvedAt.toISOString(),
    action: `/fixed/${ctx.params.token}`,
  }
}
