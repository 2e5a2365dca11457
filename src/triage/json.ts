import { z } from 'zod'
import { rowId, shape } from '../platform/http/json.js'
import { severities } from '../vocabulary/severity.js'

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
