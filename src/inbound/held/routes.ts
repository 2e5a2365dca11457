import { z } from 'zod'
import { bulkNotice } from '../../incidents/acts/bulkActs.js'
import { type BulkResult, BulkResultJson } from '../../incidents/model/json/bulkResultJson.js'
import { tabsShown } from '../../incidents/pages/desk/desk.js'
import {
  countColumn,
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import { fetchPage } from '../../platform/db/listing.js'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { rowId, shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import { entity } from '../../platform/http/records/entity.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'
import { linkMore, listQuery, parseListQuery } from '../../platform/http/records/resourcePages.js'
import { queryOf } from '../../platform/http/request/query.js'
import { route } from '../../platform/http/route/route.js'
import { atLeastOne, id, idInList, notEmpty } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import { type KeptNotTaken, namedForStaff, notTakenIn } from '../files/notTaken.js'
import { inboundText } from '../inboundText.js'
import { emailLimits } from '../limits.js'
import { taggedIncident } from '../parse/subject.js'
import { holdReasons, ignoreReasons } from '../reasons.js'
import { heldEmailDays } from './holdEmail.js'
import { crowdedDomains, droppedEmails } from './lists.js'
import { acceptEmails, discardEmails, discardEmailsFrom } from './sortEmails.js'

const heldStates = ['waiting', 'accepted', 'discarded', 'ignored'] as const

const holdReasonsSql = holdReasons.map((reason) => `'${reason}'`).join(', ')
const heldEmailsSql = `
  select
    m.*,
    case
      when m.sorted_at is null then 'waiting'
      when m.incident_id is not null then 'accepted'
      when m.reason in (${holdReasonsSql}) then 'discarded'
      else 'ignored'
    end as state,
    (select count(*)::integer from held_email_photos p where p.held_email_id = m.id) as photos
  from held_emails m`

/**
 * SQL: the whole subject and text, which staff read beside the shortened ones (decision 9.1). Rows
 * of the release before have only the latter.
 */
const subjectSql = 'coalesce(r.whole_subject, r.title)'
const textSql = 'coalesce(r.whole_text, r.description)'

/**
 * A held or ignored email (decisions 7.4, 4.5), for the office, with its sender's address.
 * `attachments`: names of files that were not kept.
 */
const heldEmailEntity = entity({
  name: 'held_email',
  json: { office: 'HeldEmail' },
  from: `(${heldEmailsSql}) r`,
  search: `concat_ws(' ', r.sender_name, r.sender_address, ${subjectSql}, ${textSql})`,
  filters: { state: 'r.state = $' },
  fields: {
    id: { column: idColumn },
    receivedAt: { column: instantColumn },
    state: { column: word(heldStates) },
    reason: { column: word([...holdReasons, ...ignoreReasons]) },
    /** The header or the part of the subject that says what kind of email it is. */
    mark: { column: orNull(textColumn) },
    senderName: { column: orNull(textColumn) },
    senderEmail: { column: orNull(textColumn), sql: 'r.sender_address' },
    /** Whether the sender's server vouches for the address. */
    senderProven: { column: flagColumn, sql: `held_standing(r.sender_standing, r.user_id) <> 'unproven'` },
    domain: { column: textColumn },
    subject: { column: textColumn, sql: subjectSql },
    /** With the number of the incident that it answers, where its subject has none. */
    title: { column: textColumn, reader: 'none' },
    text: { column: textColumn, sql: textSql },
    photos: { column: countColumn },
    attachments: {
      column: {
        json: z.array(z.string()),
        present: (files: KeptNotTaken): string[] => notTakenIn(files).map(({ name }) => name),
      },
      sql: 'r.skipped',
    },
    incidentId: { column: orNull(idColumn) },
  },
})

const { listing, json: HeldEmailJson, present: presentHeldEmail } = heldEmailEntity.records

const listable = {
  listing,
  filters: { schema: { state: z.enum(heldStates, 'not_acceptable').default('waiting') } },
}

const selectionFields = {
  ids: z
    .array(idInList('email'), 'email_unknown')
    .max(limits.recordsPerRequest, 'emails_too_many')
    .default([])
    .meta(notEmpty),
  /** The button of one row. */
  only: id('email').optional(),
}
const needsOne = { path: ['ids'], message: 'emails_required', when: () => true }

/** The result for held emails, with the incidents made from them. */
const AcceptedEmailsJson = shape('AcceptedEmails', { ...BulkResultJson.shape, incidentIds: z.array(rowId) })

const AcceptRequest = z
  .object(selectionFields)
  .refine(({ ids, only }) => only !== undefined || ids?.length > 0, needsOne)
  .meta({ id: 'AcceptEmailsRequest', required: ['ids'] })
const DiscardRequest = z
  .object({
    ...selectionFields,
    domain: z.string('not_text').min(1, 'emails_required').max(320, 'emails_required').optional(),
  })
  .refine(({ ids, only, domain }) => (only ?? domain) !== undefined || ids?.length > 0, needsOne)
  .meta({ id: 'DiscardEmailsRequest', ...atLeastOne('ids', 'domain') })

const sortingRoute = {
  method: 'post',
  permission: 'email.sort',
  throttle: 'writes',
  form: { view: 'inbound/index', name: formOf, load: page },
} as const

/** Emails of unknown senders above the hourly limit, for the office to sort (decision 7.4). */
export const heldEmailRoutes = [
  route({
    method: 'get',
    paths: both('/admin/held-emails'),
    group: 'emails',
    summary: 'Lists emails to sort, newest first.',
    permission: 'email.sort',
    query: listQuery(listable),
    answer: z.array(HeldEmailJson),
    paged: true,
    handle: async ({ ctx, query }) => {
      const { data, ...extras } = await emailsPage(ctx, query)
      return { data, view: 'inbound/index', extras }
    },
  }),

  route({
    ...sortingRoute,
    paths: both('/admin/held-emails/accept'),
    group: 'emails',
    summary: 'Accepts held emails. Each becomes an incident, or an update to the one its subject names.',
    body: AcceptRequest,
    answer: AcceptedEmailsJson,
    handle: async ({ body: { ids, only }, actor }) =>
      sortingAnswer(await acceptEmails(actor, only ? [only] : ids, await inboundText()), 'emailsAccepted'),
  }),

  route({
    ...sortingRoute,
    paths: both('/admin/held-emails/discard'),
    group: 'emails',
    summary: 'Discards held emails, by ID or by domain.',
    body: DiscardRequest,
    answer: BulkResultJson,
    handle: async ({ body: { ids, only, domain }, actor }) =>
      sortingAnswer(
        await (domain === undefined
          ? discardEmails(actor, only ? [only] : ids)
          : discardEmailsFrom(actor, domain.toLowerCase())),
        'emailsDiscarded',
      ),
  }),
]

function sortingAnswer<T extends BulkResult>(data: T, all: 'emailsAccepted' | 'emailsDiscarded') {
  const hasNothingNew = data.skipped.some(({ code }) => code === 'email_nothing_new')
  const notice = hasNothingNew ? 'nothingNew' : bulkNotice(data, all)
  return { data, location: '/admin/held-emails', notice }
}

/** Which form of the page was sent: the list of emails, or the buttons for a domain. */
function formOf(ctx: Context): string {
  return enteredFields(ctx).domain === undefined ? 'emails' : 'domains'
}

/** The whole page, for a refused form. */
function page(ctx: Context) {
  return emailsPage(ctx, queryOf(ctx, listQuery(listable)))
}

async function emailsPage(ctx: Context, query: Record<string, unknown>) {
  const wanted = parseListQuery(ctx, query, listable)
  const { inboundEmail } = ctx.state.text
  const [{ rows, more }, domains, dropped, tabs] = await Promise.all([
    fetchPage<RowOf<typeof heldEmailEntity>>(listing, wanted),
    crowdedDomains(),
    droppedEmails(),
    tabsShown(),
  ])
  return {
    data: rows.map(presentHeldEmail),
    answered: Object.fromEntries(rows.map(({ id, title }) => [id, taggedIncident(title)])),
    notTaken: Object.fromEntries(
      rows.map(({ id, attachments }) => [id, namedForStaff(notTakenIn(attachments), inboundEmail)]),
    ),
    state: wanted.filters.state,
    states: heldStates,
    next: linkMore(ctx, wanted, more),
    tabs,
    domains,
    dropped,
    limits: {
      ofDomain: emailLimits.hourOfDomain.most.unproven,
      inAll: emailLimits.hour.most.unproven,
    },
    days: heldEmailDays,
  }
}
