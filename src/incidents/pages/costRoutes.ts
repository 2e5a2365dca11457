import { z } from 'zod'
import { idempotently } from '../../platform/db/idempotently.js'
import { both } from '../../platform/http/paths.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody, type InputPlace, jsonOrForm } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { clearable, day, optionalText } from '../../vocabulary/inputRules.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import { centsFrom, mostCents } from '../../vocabulary/money.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { addCost, restoreCost, voidCost } from '../acts/costs.js'
import { type CostEntry, CostJson, costsOf, presentCost } from '../model/costs.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { incidentForms } from './forms.js'

const longestNote = 2_000
const shared = {
  vendor: optionalText('vendor', 200),
  invoiceRef: optionalText('invoiceRef', 200),
  incurredOn: clearable(day('incurredOn')),
}

/** A cost as JSON (decision 6.3). */
const CostRequest = z
  .object({
    ...shared,
    amountCents: z
      .number({ error: (issue) => (issue.input === undefined ? 'amount_required' : 'cents_unknown') })
      .int('cents_unknown')
      .min(1, 'amount_zero')
      .max(mostCents, 'amount_too_large'),
    note: optionalText('costNote', longestNote),
  })
  .meta({ id: 'CostRequest' })

/**
 * A cost from the form, which has an amount as text, and `costNote` because the page has another
 * field called note.
 */
const CostForm = ({ locale, currency }: InputPlace) =>
  z.object({
    ...shared,
    amount: z.string('amount_required').transform((text, context) => {
      const read = text.trim() === '' ? { problem: 'amount_required' } : centsFrom(text, locale, currency)
      if ('cents' in read) return read.cents
      context.addIssue({ code: 'custom', message: read.problem })
      return z.NEVER
    }),
    costNote: optionalText('costNote', longestNote),
  })

/**
 * Repair costs of an incident, for staff: added, listed and voided, never deleted (decisions 3.8,
 * 6.3).
 */
export const costRoutes = [
  route({
    method: 'get',
    paths: '/api/incidents/:id/costs',
    group: 'incidents',
    summary: 'Lists the repair costs of an incident, newest first.',
    permission: 'cost.manage',
    answer: z.array(CostJson),
    handle: async ({ params }) => {
      const { id } = orNotFound(await findListedIncident(params.id))
      return { data: (await costsOf(id)).map(presentCost) }
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/costs'),
    group: 'incidents',
    summary: 'Adds a repair cost.',
    permission: 'cost.manage',
    throttle: 'writes',
    idempotent: true,
    // Before the fields are validated: the page of a merged duplicate has no form to show again.
    subject: async ({ params }) => refuseMerged(orNotFound(await findListedIncident(params.id))),
    body: jsonOrForm(CostRequest, CostForm),
    answer: { 201: CostJson },
    form: incidentForms.cost,
    handle: async ({ params: { id: incidentId }, body, actor }) => {
      const made = await idempotently(actor, () => addCost(actor, incidentId, entryOf(body)))
      const cost = (await costsOf(incidentId)).find(({ id }) => id === made)
      return {
        data: presentCost(orNotFound(cost)),
        location: `/incidents/${incidentId}`,
        notice: 'costAdded',
      }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/incidents/:id/costs/:costId',
    group: 'incidents',
    fromForm: '/incidents/:id/costs/:costId/void',
    summary: 'Removes a repair cost from totals.',
    permission: 'cost.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: noContent,
    handle: async ({ params: { id, costId }, actor }) => {
      await voidCost(actor, id, costId)
      return { location: `/incidents/${id}?of=${costId}`, notice: 'costVoided' }
    },
  }),

  route({
    method: 'post',
    paths: both('/incidents/:id/costs/:costId/restore'),
    group: 'incidents',
    summary: 'Adds a repair cost back to totals, within 10 minutes after it was removed.',
    permission: 'cost.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: CostJson,
    handle: async ({ params: { id, costId }, actor }) => {
      await restoreCost(actor, id, costId)
      const cost = (await costsOf(id)).find((each) => each.id === costId)
      return { data: presentCost(orNotFound(cost)), location: `/incidents/${id}`, notice: 'costRestored' }
    },
  }),
]

/** The form has its own names for amount and note. */
function entryOf(input: z.output<typeof CostRequest> | z.output<ReturnType<typeof CostForm>>): CostEntry {
  const incurredOn = input.incurredOn ?? null
  if (!('amount' in input)) return { ...input, incurredOn }
  const { amount, costNote, ...rest } = input
  return { ...rest, incurredOn, amountCents: amount, note: costNote }
}
