import { formatFor } from '../../platform/http/answer/format.js'
import type { Context } from '../../platform/http/context.js'
import { isForm } from '../../platform/http/request/body.js'
import { Incident } from '../incident.js'

type Times = Partial<
  Record<'downtimeStartedAt' | 'downtimeEndedAt' | 'expectedBackAt', Date | null | undefined>
>

/** What was typed; a form's times have no seconds, so one that shows the stored time as it was counts as not typed. */
export async function typedAnew<T extends Times>(ctx: Context, incidentId: number, given: T): Promise<T> {
  const stored = isForm(ctx) ? await Incident.query().findById(incidentId) : undefined
  if (!stored) return given
  const { property } = await ctx.state.building()
  const { localInput } = formatFor(ctx.state.locale, property.timezone)
  const shown = (at: Date | null | undefined) => at && localInput(at.toISOString())
  const times = (['downtimeStartedAt', 'downtimeEndedAt', 'expectedBackAt'] as const).filter(
    (name) => given[name] && shown(given[name]) === shown(stored[name]),
  )
  return { ...given, ...Object.fromEntries(times.map((name) => [name, undefined])) }
}
