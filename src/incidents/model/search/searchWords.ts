import { query } from '../../../platform/db/database.js'
import { synonymsOf } from '../../../vocabulary/assetSynonyms.js'
import { westernDigits } from '../../../vocabulary/digits.js'

/** Words of a search that count; what comes after them is left out. */
const wordsAtMost = 10
/** Characters of a search; what comes after them is left out. */
const searchLength = 200

/**
 * A word of a search, as the database made it: in the plain form, and its stems in each language,
 * of which a stop word has none. `people`: ids of users with such a name, for staff.
 */
type SearchWord = { plain: string[]; stems: string[][]; people: number[] }

/**
 * A word as `tsquery` over the column `words`, which everyone may search, over `office_words`, and
 * over the names of places, of which synonyms are known.
 */
type WordQuery = { inWords: string; inOfficeWords: string; inPlaces: string }

/** What an incident can be about: ids of assets and flats, archived or not. */
export type Places = { assetIds: number[]; unitIds: number[] }

/**
 * The number in `INC-12`, `inc 12` or `#12`; null in any other text: `12` may be a word as well.
 */
function incidentNumber(text: string): number | null {
  const digits = /^\s*(?:inc[\s-]*|#\s*)(\d{1,10})\s*$/i.exec(westernDigits(text))?.[1]
  return digits === undefined ? null : Number(digits)
}

/** The number a search may mean, also without a sign that it is one. */
export const possibleIncidentNumber = (text: string) =>
  incidentNumber(`#${text.replace(/^\s*(inc[\s-]*|#)/i, '')}`)

/** Finds an incident by the mark that it and its survivor have among their words. */
const incidentQuery = (id: number) => lexeme(`#${id}`)

/**
 * What each word asks for; all of them have to be there. Words that say nothing, such as "the", are
 * left out unless there are no others. The last may be the beginning of a word, because somebody
 * may still be typing it.
 */
function wordQueries(words: readonly SearchWord[]): WordQuery[] {
  const meaningful = words.filter(({ stems }) => stems.every((each) => each.length > 0))
  const last = words.at(-1)
  return (meaningful.length > 0 ? meaningful : words).map((word) => {
    const isNumber = word.plain.every((part) => /^\d+$/.test(part))
    const begins = word === last && !isNumber
    const forms = [
      inOrder(word.plain, begins),
      ...word.stems.filter((each) => each.length > 0).map((each) => inOrder(each)),
    ]
    const inWords = isNumber && words.length === 1 ? [...forms, incidentQuery(Number(word.plain[0]))] : forms
    const sender = inOrder(
      word.plain.map((part) => `r:${part}`),
      begins,
    )
    return {
      inWords: anyOf(inWords),
      inOfficeWords: anyOf([...forms, sender, ...word.people.map(personQuery)]),
      inPlaces: anyOf([...inWords, ...word.plain.flatMap((part) => synonymsOf(part, begins)).map(lexeme)]),
    }
  })
}

const personQuery = (id: number) => lexeme(`u:${id}`)
const anyOf = (queries: readonly string[]) => `(${[...new Set(queries)].join(' | ')})`
const lexeme = (word: string) => `'${word.replace(/['\\]/g, (sign) => sign + sign)}'`

function inOrder(parts: readonly string[], begins = false): string {
  const all = parts.map(lexeme)
  return `(${all.join(' & ')}${begins ? ':*' : ''})`
}

/** A word, and the places with such a name, category, code or tower, if there are any. */
export type SearchTerm = WordQuery & { places?: Places }

/** What incidents must say or be about: each of these words. Without words, none is found. */
export type TextSearch = { terms: readonly SearchTerm[]; byStaff: boolean }

/**
 * What a search asks for; the same words ask for more when staff type them. `byFlat`: numbers of
 * flats count as words, for readers who may see which flat a report is about.
 */
export async function parseSearch(text: string, byStaff: boolean, byFlat = byStaff): Promise<TextSearch> {
  const number = incidentNumber(text)
  if (number !== null) {
    const wanted = incidentQuery(number)
    return { terms: [{ inWords: wanted, inOfficeWords: wanted, inPlaces: wanted }], byStaff }
  }
  return { terms: await withPlaces(wordQueries(await wordsOf(text, byStaff)), byFlat), byStaff }
}

/**
 * The assets and flats that each word names: few of them are in a building, so no index keeps them.
 */
async function withPlaces(words: readonly WordQuery[], byFlat: boolean): Promise<SearchTerm[]> {
  if (words.length === 0) return []
  const placesByWord = await query<Places>(
    `with t as materialized (select id, search_lexemes(name) as words from towers),
       a as materialized (
         select a.id, t.words || search_lexemes(concat_ws(' ', a.name, a.category, a.code)) as words
         from assets a join t on t.id = a.tower_id
       ),
       u as materialized (
         select u.id, t.words || case
           when $2 then to_tsvector('pg_catalog.simple', search_plain(u.number))
           else '' end as words
         from units u join t on t.id = u.tower_id
       )
     select array(select a.id from a where a.words @@ w.wanted::tsquery) as asset_ids,
       array(select u.id from u where u.words @@ w.wanted::tsquery) as unit_ids
     from unnest($1::text[]) with ordinality w (wanted, place) order by w.place`,
    [words.map(({ inPlaces }) => inPlaces), byFlat],
  )
  return words.map((word, i) => {
    const places = placesByWord[i]!
    return places.assetIds.length + places.unitIds.length > 0 ? { ...word, places } : word
  })
}

/**
 * The `tsquery`, over the words of the office, for the reports of users and senders of emails in
 * whose name or address all of these words begin a word; for staff only.
 */
export async function reporterQuery(text: string): Promise<string> {
  const words = await wordsOf(text, false)
  if (words.length === 0) return ''
  const name = words.flatMap(({ plain }) => plain.map((part) => `'${part}':*`)).join(' & ')
  const people = await query<{ id: number }>(
    `select u.id from users u where search_lexemes(u.name) @@ $1::tsquery or lower(u.email) = lower($2)
     order by u.id limit 200`,
    [name, text.trim()],
  )
  const senders = words.flatMap(({ plain }) => plain.map((part) => `${lexeme(`r:${part}`)}:*`)).join(' & ')
  return anyOf([...people.map(({ id }) => personQuery(id)), `(${senders})`])
}

/**
 * The words of a text by the rules of the index (`migrations/searchIndex.ts`), in their order. Of
 * the users whose name has such a word the first 200: more find too many reports to be of use.
 */
function wordsOf(text: string, withPeople: boolean): Promise<SearchWord[]> {
  return query<SearchWord>(
    `select tsvector_to_array(to_tsvector('pg_catalog.simple', w.word)) as plain,
       case when $2 then array(
         select u.id from users u where search_lexemes(u.name) @@ ('''' || w.word || ''':*')::tsquery
         order by u.id limit 200
       ) else '{}'::integer[] end as people,
       array_to_json(array[
         to_json(tsvector_to_array(to_tsvector('pg_catalog.english', w.word))),
         to_json(tsvector_to_array(to_tsvector('pg_catalog.spanish', w.word)))
       ]) as stems
     from unnest(string_to_array(search_plain($1), ' ')) with ordinality w (word, place)
     where to_tsvector('pg_catalog.simple', w.word) <> ''
     order by w.place limit $3`,
    [[...text].slice(0, searchLength).join(''), withPeople, wordsAtMost],
  )
}
