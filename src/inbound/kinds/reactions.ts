import type { ReadEmail } from '../message.js'
import { ownFiles } from '../parse/emailFile.js'
import { firstWords } from './plainWords.js'

/** Gmail sends a reaction as an email with such a part. */
const reactionType = /^text\/vnd\.google\.email-reaction\+json\b/i

/**
 * How programs put a reaction into words, for those that cannot show it. Each is the whole first
 * line, so that a resident's sentence with the same words is none.
 */
const firstLines: readonly RegExp[] = [
  // Outlook: "[like] Jo Doe reacted to your message:".
  /^\[[\p{L} ]{2,30}\] ?.{1,100} (reacted to your message|hat auf Ihre Nachricht reagiert|a réagi à votre message|reaccionó a su mensaje|ha reagito al messaggio|reagiu à sua mensagem|heeft gereageerd op uw bericht)[:.]?$/iu,
  // Gmail: "👍 Jo reacted via Gmail", also without the sign.
  /^(\p{Emoji_Presentation}|\p{Emoji}\ufe0f)? ?.{1,100} (reacted via Gmail|hat über Gmail reagiert|a réagi via Gmail|reaccionó (a través de|mediante|con) Gmail|ha reagito tramite Gmail)\.?$/iu,
]

/** iMessage and Google Messages: "Liked “The lift works again”", and nothing else. */
const tapback =
  /^((Liked|Loved|Disliked|Laughed at|Emphasized|Emphasised|Questioned|Reacted \S{1,8} to|Removed an? [a-z ]{2,30} from) |[^\p{L}\p{N}\s]{1,12} (to|an|à|a) )([“„«][^“”„«»]*[”“»]|an? (image|photo|movie|video|attachment|audio message))$/u

/** Gmail shows the sign large, on a line of its own. */
const onlyASign = /^[^\p{L}\p{N}\s]{1,12}$/u

/** What says that an email is only a reaction to another; null when it is none. */
export function reactionIn(email: Pick<ReadEmail, 'files' | 'headers' | 'text' | 'html'>): string | null {
  const own = email.headers?.get('content-type')?.find((type) => reactionType.test(type.trim()))
  if (own !== undefined || ownFiles(email.files).some(({ type }) => reactionType.test(type ?? '')))
    return 'text/vnd.google.email-reaction+json'
  const words = firstWords(email)
  const [sign = '', next = ''] = words.split('\n', 2)
  const first = onlyASign.test(sign) && next !== '' ? next : sign
  if (first.length > 200) return null
  return firstLines.some((pattern) => pattern.test(first)) || tapback.test(words.slice(0, 2_000))
    ? `text: ${first.slice(0, 80)}`
    : null
}
