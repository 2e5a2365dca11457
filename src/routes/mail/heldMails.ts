import { z } from 'zod'
import { type ManyResult, mostAtOnce } from '../../actions/incidents/manyIncidents.js'
import { acceptMails, discardMails, discardMailsFrom } from '../../actions/mail/heldMails.js'
import { unknownSenders } from '../../domain/mail/heldMail.js'
import {
  crowdedDomains,
  type HeldMail,
  heldMailDays,
  heldMails,
  heldStates,
  unkeptMails,
} from '../../models/mail/heldMail.js'
import { listOf } from '../../models/system/listing.js'
import { mailWords } from '../../pages/propertyText.js'
import { linkMore, listQuery, wantedOf } from '../../pages/records/list.js'
import { presentHeldMail } from '../../presenters/mail/heldMail.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { id, input, queryOf } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const listable = {
  listing: heldMails,
  filters: { schema: { state: z.enum(heldStates, 'not_acceptable').default('waiting') } },
}

const chosen = {
  ids: z
    .array(z.coerce.number('mail_unknown').pipe(id('mail')), 'mail_unknown')
    .max(mostAtOnce, 'mails_too_many')
    .default([]),
  /** The button on one row, which means that row. */
  only: id('mail').optional(),
}
const needsOne = { path: ['ids'], message: 'mails_required', when: () => true }

const AcceptRequest = z
  .object(chosen)
  .refine(({ ids, only }) => only !== undefined || ids?.length > 0, needsOne)
const DiscardRequest = z
  .object({
    ...chosen,
    domain: z.string('not_text').min(1, 'mails_required').max(320, 'mails_required').optional(),
  })
  .refine(({ ids, only, domain }) => (only ?? domain) !== undefined || ids?.length > 0, needsOne)

/** Mails of unknown senders above the hour's limit, for the office to sort (decision 7.4). */
export function heldMailRoutes(router: AppRouter): void {
  const writes = [
    allow('mail.sort'),
    throttle('writes'),
    body(),
    form({ view: 'system/heldMails', load: page }),
  ] as const

  router.get(both('/admin/mails'), allow('mail.sort'), async (ctx) => {
    const { data, ...extras } = await page(ctx)
    await respond(ctx, { data, view: 'system/heldMails', extras })
  })

  router.post(both('/admin/mails/accept'), ...writes, async (ctx) => {
    const { ids, only } = input(ctx, AcceptRequest)
    await answer(ctx, await acceptMails(ctx.state.actor, only ? [only] : ids, await mailWords()))
  })

  router.post(both('/admin/mails/discard'), ...writes, async (ctx) => {
    const { ids, only, domain } = input(ctx, DiscardRequest)
    const { actor } = ctx.state
    const done =
      domain === undefined
        ? discardMails(actor, only ? [only] : ids)
        : discardMailsFrom(actor, domain.toLowerCase())
    await answer(ctx, await done)
  })
}

async function answer(ctx: Context, result: ManyResult): Promise<void> {
  const notice = result.skipped.length > 0 ? 'someDone' : 'done'
  await respond(ctx, { data: result, location: '/admin/mails', notice })
}

async function page(ctx: Context): Promise<Record<string, unknown>> {
  const wanted = wantedOf(ctx, queryOf(ctx, listQuery(listable)), listable)
  const [{ rows, more }, domains, unkept] = await Promise.all([
    listOf<HeldMail>(heldMails, wanted),
    crowdedDomains(),
    unkeptMails(),
  ])
  return {
    data: rows.map(presentHeldMail),
    state: wanted.filters.state,
    states: heldStates,
    next: linkMore(ctx, wanted, more),
    ...{ domains, unkept, limits: unknownSenders, days: heldMailDays },
  }
}
