import type { Status } from '../../../src/vocabulary/lifecycle.js'
import type { Person } from '../house/acting.js'
import { type Settings, verbsOf } from '../house/verbs.js'

export type Answer = Settings & { by?: Person; status?: Status; body?: string }

export const anAnswer = (incidentId: number, { by = 'manager', status, body, ...settings }: Answer = {}) =>
  status === undefined
    ? verbsOf(by).answers(incidentId, body, settings)
    : verbsOf(by).sets(incidentId, status, body, settings)

export const aComment = (
  incidentId: number,
  { by = 'resident', body, at }: { by?: Person; body?: string; at?: Date } = {},
) => verbsOf(by).comments(incidentId, body, { at })

export async function aVerification(
  incidentId: number,
  { by = 'resident', fixed, body, at }: { by?: Person; fixed: boolean; body?: string; at?: Date },
): Promise<void> {
  const verbs = verbsOf(by)
  await (fixed ? verbs.confirms(incidentId, body, { at }) : verbs.saysNotFixed(incidentId, body, { at }))
}
