import { z } from 'zod'
import { parseId } from '../../vocabulary/limits.js'
import { reportRules } from '../entity.js'

const { assetId, unitId, ...others } = reportRules

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
  .meta({ id: 'ReportRequest' })

/**
 * The same from the form, whose one list says in `place` what it is about: `asset-1` or `unit-1`. Forms
 * kept without a connection may be of an earlier version: its two lists, and which of them counts.
 */
export const ReportForm = z
  .object({ place: z.string('not_text').optional(), assetId, unitId, ...others })
  .refine((fields) => isOnePlace(placed(fields)), {
    path: ['assetId'],
    message: 'place_exactly_one',
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

type Lists = { place?: string | undefined; assetId: number | null; unitId: number | null }

/** What was reported, with the one place that `place` chooses; as it is where only one list is filled in. */
export function placed<T extends Lists>({ place, ...report }: T): Omit<T, 'place'> {
  const chosen = placeIn(place)
  if (chosen) return { ...report, ...chosen }
  const ownId = parseId(place)
  if (ownId !== null) return { ...report, assetId: null, unitId: ownId }
  if (report.assetId === null || report.unitId === null) return report
  if (place === 'asset') return { ...report, unitId: null }
  return place === 'unit' ? { ...report, assetId: null } : report
}
