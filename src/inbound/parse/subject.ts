import { parseId } from '../../vocabulary/limits.js'

/**
 * The id in the first `[INC-<id>]` of a subject (spec §4 rule 5, decision 4.5), in any case, with
 * line folds, other dashes or leading zeros; null without a valid one.
 */
export function taggedIncident(subject: string): number | null {
  const digits = /\[\s*INC\s*[-‐‑–]\s*(\d+)\s*\]/i.exec(subject)?.[1]
  return parseId(digits?.replace(/^0+/, ''))
}
