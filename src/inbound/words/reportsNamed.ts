import { parseId } from '../../vocabulary/limits.js'

/** Reports that are looked up for one email; those that it names first. */
const mostReports = 5
/** Characters of each part that are looked at. */
const mostSearched = 300_000

/**
 * The reports whose emails an email may quote: the one that it answers, and those whose number or
 * address stands in it.
 */
export function reportsNamedIn(
  { subject, text, html }: { subject: string; text: string; html: string },
  answered: number | null,
): number[] {
  const ids = new Set(answered === null ? [] : [answered])
  const all = [subject, text.slice(0, mostSearched), html.slice(0, mostSearched)].join('\n')
  for (const [, number, address] of all.matchAll(/\bINC-(\d{1,10})\b|\/incidents\/(\d{1,10})\b/giu)) {
    const id = parseId(number ?? address)
    if (id !== null) ids.add(id)
    if (ids.size >= mostReports) break
  }
  return [...ids]
}
