/** Words of a search that count; what comes after them is left out. */
export const wordsAtMost = 10
/** Characters of a search; what comes after them is left out. */
export const searchLength = 200

/**
 * A word of a search, as the database made it: in the plain form, and its stems in each language, of which a stop word
 * has none. `people`: ids of users with such a name, for staff.
 */
export type SearchWord = { plain: string[]; stems: string[][]; people: number[] }

/** The same words to look for in what everyone reads, and in what staff read besides; PostgreSQL's `tsquery`. */
export type WordQuery = { everywhere: string; inOffice: string }

/** What an incident can be about: ids of assets and flats, archived or not. */
export type Places = { assetIds: number[]; unitIds: number[] }

/** The number in `INC-12`, `inc 12` or `#12`; null in any other text. `12` alone may be a word as well. */
export function numberAlone(text: string): number | null {
  const digits = /^\s*(?:inc[\s-]*|#\s*)(\d{1,10})\s*$/i.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The number a search may mean, also without a sign that it is one. */
export const numberIn = (text: string) => numberAlone(`#${text.replace(/^\s*(inc[\s-]*|#)/i, '')}`)

/** The mark of an incident, and of its survivor, among the words it is found by. */
export const numberQuery = (id: number) => quoted(`#${id}`)

/**
 * What each word asks for; all of them have to be there. Words that say nothing, such as "the", are left out unless
 * there are no others. The last may be the start of a word, because someone may still be typing it.
 */
export function wordQueries(words: readonly SearchWord[]): WordQuery[] {
  const saying = words.filter(({ stems }) => stems.every((each) => each.length > 0))
  const last = words.at(-1)
  return (saying.length > 0 ? saying : words).map((word) => {
    const isNumber = word.plain.every((part) => /^\d+$/.test(part))
    const begins = word === last && !isNumber
    const forms = [
      inOrder(word.plain, begins),
      ...word.stems.filter((each) => each.length > 0).map((each) => inOrder(each)),
    ]
    const everywhere = isNumber && words.length === 1 ? [...forms, numberQuery(Number(word.plain[0]))] : forms
    const sender = inOrder(
      word.plain.map((part) => `r:${part}`),
      begins,
    )
    return {
      everywhere: anyOf(everywhere),
      inOffice: anyOf([...forms, sender, ...word.people.map(personQuery)]),
    }
  })
}

/** Reports of these users, and of senders of email in whose name or address all of these words start a word. */
export function reporterQuery(people: readonly number[], words: readonly SearchWord[]): string {
  const sender = words.flatMap(({ plain }) => plain.map((part) => `${quoted(`r:${part}`)}:*`)).join(' & ')
  return anyOf([...people.map(personQuery), ...(sender ? [`(${sender})`] : [])])
}

const personQuery = (id: number) => quoted(`u:${id}`)
const anyOf = (queries: readonly string[]) => `(${[...new Set(queries)].join(' | ')})`
const quoted = (lexeme: string) => `'${lexeme.replace(/['\\]/g, (sign) => sign + sign)}'`

function inOrder(parts: readonly string[], begins = false): string {
  const all = parts.map(quoted)
  return `(${all.join(' & ')}${begins ? ':*' : ''})`
}
