import { type Locale, locales, type Text, texts } from './index.js'

/**
 * What a timeline says for the office or the system, by the number of the report that it names. It
 * is stored in the building's language (decision 2.9).
 */
function entriesOf({ desk, inboundEmail, incident, merging, protection }: Text): ((id: number) => string)[] {
  const { fixed, notFixed, undone } = incident.verdict
  const fixedSentences = [
    desk.acknowledgedEntry,
    desk.undoneEntry,
    fixed,
    notFixed,
    undone,
    protection.dismissedEntry,
    protection.reinstatedEntry,
    inboundEmail.nothingNew,
  ]
  return [merging.mergedEntry, merging.unmergedEntry].concat(fixedSentences.map((text) => () => text))
}

/** By the sentence of any language about report 0, which of the entries it is. */
const known = new Map(
  locales.flatMap((locale) => entriesOf(texts[locale]).map((entry, i): [string, number] => [entry(0), i])),
)

/** Letters above which a text is none of these. */
const mostLetters = 300

/**
 * An entry of a timeline as a page shows it: in the page's language where it is one of our own
 * sentences, and as it is where someone wrote it.
 */
export function entryIn(locale: Locale, body: string): string {
  if (body.length > mostLetters) return body
  const number = /\bINC-(\d+)/.exec(body)
  const entry = known.get(number ? body.replace(number[0], 'INC-0') : body)
  return entry === undefined ? body : entriesOf(texts[locale])[entry]!(Number(number?.[1]))
}
