import { z } from 'zod'
import { exactlyOneOf } from '../../../vocabulary/inputRules.js'
import { parseId } from '../../../vocabulary/limits.js'
import { incidentEntity, type Report } from '../../model/entity.js'

const { assetId, unitId, ...others } = incidentEntity.creates

/** How bad a report from the page's form is whose author selected nothing. */
const defaultSeverity = 'medium'

function isOnePlace({ assetId, unitId }: { assetId: number | null; unitId: number | null }): boolean {
  return (assetId === null) !== (unitId === null)
}

/** The create request (spec §2). */
export const ReportRequest = z
  // Asset and unit first, as on the form: problems are listed in this order.
  .object({ assetId, unitId, ...others })
  .refine(isOnePlace, {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'ReportRequest', ...exactlyOneOf('assetId', 'unitId') })

/**
 * The same from the form, whose list says in `place` what it is about: `asset-1` or `unit-1`. Only
 * that form may leave out the severity. Programs that send a form name `assetId` or `unitId`, and
 * the severity, as in JSON.
 */
export const ReportForm = z
  .object({
    place: z.string('not_text').optional(),
    assetId,
    unitId,
    ...others,
    severity: others.severity.optional(),
  })
  .refine((fields) => isOnePlace(withPlace(fields)), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .refine(({ place, severity }) => place !== undefined || severity !== undefined, {
    path: ['severity'],
    message: 'severity_required',
    when: () => true,
  })
  .meta({ id: 'ReportForm' })

/** What an option of the form's list stands for; null when it is none. */
export function placeIn(option: unknown): { assetId: number | null; unitId: number | null } | null {
  const [, kind, digits] = /^(asset|unit)-(\d+)$/.exec(String(option)) ?? []
  const id = parseId(digits)
  if (id === null) return null
  return kind === 'asset' ? { assetId: id, unitId: null } : { assetId: null, unitId: id }
}

type Place = { place?: string | undefined; assetId: number | null; unitId: number | null }

/** The report with the place that the list selects; without one, the place that its fields name. */
function withPlace<T extends Place>({ place, ...report }: T): Omit<T, 'place'> {
  return { ...report, ...placeIn(place) }
}

/** What a request reports, from a form or from JSON. */
export function reportOf(body: z.output<typeof ReportForm>): Report {
  return { ...withPlace(body), severity: body.severity ?? defaultSeverity }
}

/** Two reports are the same when they give the same place the same title (decision 9.12). */
export function sameReport(fields: Record<string, unknown>): unknown {
  const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const { assetId, unitId } = withPlace({
    place: textOf('place') || undefined,
    assetId: parseId(textOf('assetId')),
    unitId: parseId(textOf('unitId')),
  })
  const title = textOf('title').trim().replace(/\s+/g, ' ').toLowerCase()
  return ['report', assetId, unitId, title]
}
