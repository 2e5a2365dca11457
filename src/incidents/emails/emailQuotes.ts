import type { Reader } from '../../notifications/emails/reader.js'
import { texts } from '../../text/index.js'
import { publicViewer } from '../../vocabulary/people/actor.js'
import { shorten } from '../../vocabulary/plainText.js'
import { timelineEntries } from '../model/timeline/timelineEntries.js'
import { presentUpdate } from '../model/timeline/updateJson.js'

/** Somebody's text, shortened for an email. */
export type Quote = { text: string; cut: boolean }

const longestQuote = 1_500

export function quoted(text: string): Quote {
  const start = shorten(text, longestQuote)
  return { text: start, cut: start !== text }
}

/** A timeline entry as everybody sees it. */
export type QuotedUpdate = { name: string; quote: Quote | null }

/**
 * The authors and texts of these timeline entries, oldest first; sentences of the service's own are
 * no texts.
 */
export async function quotedUpdates(
  incidentId: number,
  updateIds: readonly unknown[],
  { h }: Reader,
): Promise<QuotedUpdate[]> {
  const updates = await timelineEntries(incidentId, updateIds.filter(Number.isSafeInteger) as number[])
  return updates.map((update) => {
    const { authorName, body } = presentUpdate(update, publicViewer)
    return {
      name: h.person(authorName),
      quote: update.automatic || isAutomaticVerdict(body) ? null : quoted(body),
    }
  })
}

/** A verification without words has our own sentence as its body, in the property's language. */
function isAutomaticVerdict(body: string): boolean {
  return (
    body === '' ||
    Object.values(texts).some(({ incident: { verdict } }) => Object.values(verdict).includes(body))
  )
}
