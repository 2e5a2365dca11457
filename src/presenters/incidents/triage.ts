import { z } from 'zod'
import { severities } from '../../domain/incidents/severity.js'
import { rowId, shape } from '../json.js'

/** A suggestion (spec §2), or that suggestions are off (spec §4 rule 7). */
export const TriageJson = z.union([
  shape('TriageOff', { enabled: z.literal(false) }),
  shape('TriageSuggestion', {
    enabled: z.literal(true),
    assetId: rowId.optional(),
    severity: z.enum(severities),
    isDuplicateOf: rowId.optional(),
    rationale: z.string(),
  }),
])
