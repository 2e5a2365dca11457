import type { Person } from '../house/acting.js'
import { type GivenReport, report } from '../house/report.js'
import { verbsOf } from '../house/verbs.js'

export async function aMergedPair(
  given: { duplicate?: GivenReport; survivor?: GivenReport } = {},
): Promise<{ duplicateId: number; survivorId: number }> {
  const survivorId = await report(given.survivor)
  const duplicateId = await report(given.duplicate)
  await aMerge(duplicateId, survivorId)
  return { duplicateId, survivorId }
}

export const aMerge = (
  duplicateId: number,
  survivorId: number,
  { by = 'manager', at }: { by?: Person; at?: Date } = {},
) => verbsOf(by).merges(duplicateId, survivorId, { at })
