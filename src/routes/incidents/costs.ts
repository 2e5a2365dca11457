import { z } from 'zod'
import { addCost, type CostEntry, voidCost } from '../../actions/incidents/repairCosts.js'
import { once } from '../../actions/system/once.js'
import { refuseMerged } from '../../domain/incidents/lifecycle.js'
import { centsFrom, mostCents } from '../../domain/incidents/money.js'
import { found } from '../../domain/system/invalid.js'
import { Incident } from '../../models/incidents/incident.js'
import { costsOf } from '../../models/incidents/repairCost.js'
import { incidentPage } from '../../pages/incidents/incidentPage.js'
import { presentCost } from '../../presenters/incidents/repairCost.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body, isForm } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import { clearable, input, optionalLine, pathId } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const longestNote = 2_000
const shared = {
  vendor: optionalLine('vendor', 200),
  invoiceRef: optionalLine('invoiceRef', 200),
  incurredOn: clearable(z.string('incurredOn_unknown').refine(isDay, 'incurredOn_unknown')),
}

/** A cost as JSON (decision 6.3). */
const CostRequest = z.object({
  ...shared,
  amountCents: z
    .number({ error: (issue) => (issue.input === undefined ? 'amount_required' : 'cents_unknown') })
    .int('cents_unknown')
    .min(1, 'amount_zero')
    .max(mostCents, 'amount_too_large'),
  note: optionalLine('costNote', longestNote),
})

/** A cost as typed: money as people write it, and a name of its own for the note, because the page has another one. */
const CostForm = (locale: string, currency: string) =>
  z.object({
    ...shared,
    amount: z.string('amount_required').transform((text, context) => {
      const read = text.trim() === '' ? { problem: 'amount_required' } : centsFrom(text, locale, currency)
      if ('cents' in read) return read.cents
      context.addIssue({ code: 'custom', message: read.problem })
      return z.NEVER
    }),
    costNote: optionalLine('costNote', longestNote),
  })

/** Repair costs of an incident, for staff: entered, listed, voided and never deleted (decisions 3.8, 6.3). */
export function costRoutes(router: AppRouter): void {
  const writes = [allow('cost.manage'), throttle('writes'), body()] as const

  router.get('/api/incidents/:id/costs', allow('cost.manage'), async (ctx) => {
    const { id } = found(await Incident.find(pathId(ctx)))
    await respond(ctx, { data: (await costsOf(id)).map(presentCost) })
  })

  router.post(
    both('/incidents/:id/costs'),
    ...writes,
    idempotent(),
    form({ view: 'incidents/show', load: incidentPage }),
    async (ctx) => {
      const incidentId = pathId(ctx)
      // Before the body is judged: the page of a merged duplicate has no form to show again.
      refuseMerged(found(await Incident.find(incidentId)))
      const entry = await entryOf(ctx)
      const { actor } = ctx.state
      const id = await once(
        actor,
        () => addCost(actor, incidentId, entry),
        async (made) => made,
      )
      const cost = (await costsOf(incidentId)).find((each) => each.id === id)
      await respond(ctx, {
        data: presentCost(found(cost)),
        location: `/incidents/${incidentId}`,
        notice: 'costAdded',
        status: 201,
      })
    },
  )

  router.delete('/api/incidents/:id/costs/:costId', ...writes, voided)
  router.post('/incidents/:id/costs/:costId/void', ...writes, voided)
}

async function voided(ctx: Context): Promise<void> {
  const incidentId = pathId(ctx)
  await voidCost(ctx.state.actor, incidentId, pathId(ctx, 'costId'))
  await respond(ctx, { location: `/incidents/${incidentId}`, notice: 'costVoided' })
}

async function entryOf(ctx: Context): Promise<CostEntry> {
  if (!isForm(ctx)) return dated(input(ctx, CostRequest))
  const { property } = await ctx.state.building()
  const { amount, costNote, ...rest } = input(ctx, CostForm(ctx.state.locale, property.currency))
  return dated({ ...rest, amountCents: amount, note: costNote })
}

const dated = <T extends { incurredOn?: string | null | undefined }>(entry: T) => ({
  ...entry,
  incurredOn: entry.incurredOn ?? null,
})

/** Whether the text is a day of the calendar, YYYY-MM-DD. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text >= '1970'
}
