import { z } from 'zod'
import { propertyText } from '../../../building/building.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { authorTag } from '../../../platform/http/session/csrf.js'
import { texts } from '../../../text/index.js'
import { flag, optionalText, trimmedText } from '../../../vocabulary/inputRules.js'
import { reasonNotRepaired } from '../../../vocabulary/lifecycle.js'
import { limits } from '../../../vocabulary/limits.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import type { IncidentPatch } from '../../acts/allowedPatch.js'
import type { ListedIncident } from '../../model/entity.js'
import { isReopened } from '../../model/json/incidentJson.js'
import { lastVerdict, type Verdict } from '../../model/timeline/lastVerdict.js'

/** `open`: it may still be answered; `earlier`: it is about a repair before the last one. */
type QuestionState = 'open' | 'merged' | 'fixed' | 'notFixed' | 'earlier'

/** What has become of the question. `repairedAt`: the repair it is about; null for the last. */
export function questionState(incident: ListedIncident, repairedAt: Date | null): QuestionState {
  if (incident.mergedIntoId !== null) return 'merged'
  if (incident.resolvedAt === null) return 'notFixed'
  if (repairedAt !== null && incident.resolvedAt.getTime() !== repairedAt.getTime()) return 'earlier'
  return incident.status === 'resolved' ? 'open' : 'fixed'
}

/**
 * The answer that an incident has got since this repair, or the last one; null while there is none.
 */
export async function currentAnswer(
  incident: ListedIncident,
  repairedAt: Date | null,
): Promise<Verdict | null> {
  const state = questionState(incident, repairedAt)
  if (state !== 'fixed' && state !== 'notFixed') return null
  const verdict = await lastVerdict(incident.id, repairedAt)
  if (verdict?.isFixed !== (state === 'fixed')) return null
  // The office may have reopened it since, after a later repair.
  return verdict.isFixed || repairedAt || isReopened(incident) ? verdict : null
}

/** A "not fixed" of which no one has said more than that. */
export function lacksWords({ isFixed, body, hasWrittenSince }: Verdict): boolean {
  const sentences = Object.values(texts).map(({ incident }) => incident.verdict.notFixed)
  return !isFixed && !hasWrittenSince && sentences.includes(body)
}

/**
 * Where the form of the question is sent, where its page leads back to, where a "no" is explained
 * afterwards, and where the answer is undone, if it can be.
 */
type QuestionAddresses = { action: string; back: string; explain: string; undo: string | null }

/** Which repair is asked about, null for the last one, and whom. */
type Question = { repairedAt: Date | null; readerId: number | null }

/**
 * The page that asks whether an incident is fixed; words are for a "no" alone. It names no one,
 * because emails are forwarded with their links: that an anonymous answer is the reader's is said
 * in their own session alone.
 */
export async function fixedQuestionPage(
  ctx: Context,
  incident: ListedIncident,
  { repairedAt, readerId }: Question,
  { action, back, explain, undo }: QuestionAddresses,
): Promise<Record<string, unknown>> {
  const { id, title, status, mergedIntoId, closingReason, resolvedAt } = incident
  const fields = enteredFields(ctx)
  const answer = await currentAnswer(incident, repairedAt)
  const isOwn = answer !== null && answer.authorId !== null && answer.authorId === readerId
  return {
    state: questionState(incident, repairedAt),
    isOwn: isOwn && (!answer.isAnonymous || ctx.state.user?.id === readerId),
    lacksWords: answer !== null && lacksWords(answer),
    incident: { id: mergedIntoId ?? id, title, status },
    why: reasonNotRepaired(status, closingReason),
    reopened: isReopened(incident),
    resolvedAt: (repairedAt ?? resolvedAt)?.toISOString() ?? null,
    action,
    back,
    explain,
    undo,
    no: fields.fixed !== 'true' || Boolean(fields.body),
  }
}

/**
 * The verification request (spec §2); `body` says what is still wrong (decision 2.4), so that a
 * "yes" with words is refused: no complaint confirms a repair (decision 9.11). `repairedAt`: the
 * repair that the form asked about; an answer that comes late is not taken for another one.
 */
export const VerificationRequest = z
  .object({
    fixed: flag('fixed'),
    body: optionalText('body', limits.text),
    namedAnyway: trimmedText('body', limits.text, 0).nullish(),
    repairedAt: z.iso.datetime('not_acceptable').nullish(),
  })
  .refine(({ fixed, body }) => !fixed || !body, { path: ['body'], message: 'body_with_yes' })
  .meta({
    id: 'VerificationRequest',
    // Each says what is required: generators of clients don't take it over from the whole.
    anyOf: [
      { required: ['fixed'], properties: { fixed: { const: false } } },
      {
        required: ['fixed'],
        properties: { fixed: { const: true }, body: { type: ['string', 'null'], maxLength: 0 } },
      },
    ],
  })

/** What such an answer changes; without words, the building's language says which answer it is. */
export async function verificationPatch(input: z.output<typeof VerificationRequest>): Promise<IncidentPatch> {
  const move = input.fixed ? 'fixed' : 'notFixed'
  const body = input.body || (await propertyText()).incident.verdict[move]
  return { body, move, namedAnyway: input.namedAnyway }
}

/**
 * Someone else has answered first: what this person wrote is shown with a button that posts it as
 * their comment (decision 9.11).
 */
export function offerAsComment(
  ctx: Context,
  { id, mergedIntoId }: ListedIncident,
  { id: writerId }: Actor,
  { body }: z.output<typeof VerificationRequest>,
): void {
  const report = mergedIntoId ?? id
  const open = { href: `/incidents/${report}`, label: ctx.state.text.guests.fixed.open(report) }
  const writer = writerId === null ? '' : authorTag(writerId)
  ctx.state.refusal.nextLink = open
  if (!body) return
  ctx.state.refusal.sendInstead = {
    action: `/incidents/${report}/updates`,
    fields: { writer, body },
    label: ctx.state.text.problemPage.postAsComment,
  }
}
