import { z } from 'zod'
import {
  AcceptedMailsJson,
  ManyJson,
  type ManyResult,
  mostAtOnce,
} from '../../incidents/desk/manyIncidents.js'
import { tabsShown } from '../../incidents/desk/page.js'
import { fetchPage } from '../../platform/db/listing.js'
import type { Context } from '../../platform/http/context.js'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { linkMore, listQuery, parseListQuery } from '../../platform/http/records/pages.js'
import { both } from '../../platform/http/request/both.js'
import { id, queryOf, typedIn } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { holdReasons, hourlyEmails, ignoreReasons } from '../../vocabulary/email/heldEmail.js'
import { mailWords } from '../emailIncident.js'
import { taggedIncident } from '../parse/emailText.js'
import {
  acceptMails,
  crowdedDomains,
  discardMails,
  discardMailsFrom,
  type HeldMail,
  heldMailDays,
  heldStates,
  quarantineListing,
  unkeptMails,
} from './quarantine.js'

/**
 * A held or ignored email, for the office, with its sender's address. `attachments`: names of files
 * that were not kept.
 */
export const HeldMailJson = shape('HeldMail', {
  id: rowId,
  receivedAt: instantText,
  state: z.enum(heldStates),
  reason: z.enum([...holdReasons, ...ignoreReasons]),
  senderName: z.string().nullable(),
  senderEmail: z.string().nullable(),
  domain: z.string(),
  subject: z.string(),
  text: z.string(),
  photos: wholeNumber,
  attachments: z.array(z.string()),
  incidentId: rowId.nullable(),
})

export function presentHeldMail(mail: HeldMail): z.output<typeof HeldMailJson> {
  return {
    id: mail.id,
    receivedAt: mail.receivedAt.toISOString(),
    state: mail.state,
    reason: mail.reason,
    senderName: mail.senderName,
    senderEmail: mail.senderAddress,
    domain: mail.domain,
    subject: mail.title,
    text: mail.description,
    photos: mail.photos,
    attachments: [...mail.skipped.refused, ...mail.skipped.later],
    incidentId: mail.incidentId,
  }
}

const listable = {
  listing: quarantineListing,
  filters: { schema: { state: z.enum(heldStates, 'not_acceptable').default('waiting') } },
}

const chosen = {
  ids: z
    .array(z.coerce.number('mail_unknown').pipe(id('mail')), 'mail_unknown')
    .max(mostAtOnce, 'mails_too_many')
    .default([]),
  /** The button of one row. */
  only: id('mail').optional(),
}
const needsOne = { path: ['ids'], message: 'mails_required', when: () => true }

const AcceptRequest = z
  .object(chosen)
  .refine(({ ids, only }) => only !== undefined || ids?.length > 0, needsOne)
  .meta({ id: 'AcceptMailsRequest' })
const DiscardRequest = z
  .object({
    ...chosen,
    domain: z.string('not_text').min(1, 'mails_required').max(320, 'mails_required').optional(),
  })
  .refine(({ ids, only, domain }) => (only ?? domain) !== undefined || ids?.length > 0, needsOne)
  .meta({ id: 'DiscardMailsRequest' })

const shared = {
  method: 'post',
  permission: 'mail.sort',
  throttle: 'writes',
  form: { view: 'heldMails/index', name: formOf, load: page },
} as const

/** Emails of unknown senders above the hourly limit, for the office to sort (decision 7.4). */
export const heldMailRoutes = [
  route({
    method: 'get',
    paths: both('/admin/mails'),
    summary: 'Lists emails to sort, newest first.',
    permission: 'mail.sort',
    query: listQuery(listable),
    answer: z.array(HeldMailJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const { data, ...extras } = await mailsPage(ctx, query)
      return { data, view: 'heldMails/index', extras }
    },
  }),

  route({
    ...shared,
    paths: both('/admin/mails/accept'),
    summary: 'Accepts held emails. Each becomes an incident, or an update to the one its subject names.',
    body: AcceptRequest,
    answer: AcceptedMailsJson,
    handle: async ({ body: { ids, only }, actor }) =>
      sorted(await acceptMails(actor, only ? [only] : ids, await mailWords()), 'mailsAccepted'),
  }),

  route({
    ...shared,
    paths: both('/admin/mails/discard'),
    summary: 'Discards held emails, by ID or by domain.',
    body: DiscardRequest,
    answer: ManyJson,
    handle: async ({ body: { ids, only, domain }, actor }) =>
      sorted(
        await (domain === undefined
          ? discardMails(actor, only ? [only] : ids)
          : discardMailsFrom(actor, domain.toLowerCase())),
        'mailsDiscarded',
      ),
  }),
]

function sorted<T extends ManyResult>(data: T, all: 'mailsAccepted' | 'mailsDiscarded') {
  const saysNothing = data.skipped.some(({ code }) => code === 'mail_nothing_new')
  const notice = saysNothing ? 'nothingNew' : data.skipped.length > 0 ? 'someDone' : all
  return { data, location: '/admin/mails', notice }
}

/** Which form of the page was sent: the list of emails, or the buttons for a domain. */
function formOf(ctx: Context): string {
  return typedIn(ctx).domain === undefined ? 'mails' : 'domains'
}

/** The whole page, for a refused form. */
function page(ctx: Context) {
  return mailsPage(ctx, queryOf(ctx, listQuery(listable)))
}

async function mailsPage(ctx: Context, query: Record<string, unknown>) {
  const wanted = parseListQuery(ctx, query, listable)
  const [{ rows, more }, domains, unkept, tabs] = await Promise.all([
    fetchPage<HeldMail>(quarantineListing, wanted),
    crowdedDomains(),
    unkeptMails(),
    tabsShown(),
  ])
  return {
    data: rows.map(presentHeldMail),
    answered: Object.fromEntries(rows.map(({ id, title }) => [id, taggedIncident(title)])),
    state: wanted.filters.state,
    states: heldStates,
    next: linkMore(ctx, wanted, more),
    tabs,
    ...{ domains, unkept, limits: hourlyEmails, days: heldMailDays },
  }
}
