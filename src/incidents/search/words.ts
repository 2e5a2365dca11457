import { query } from '../../platform/db/database.js'
import {
  numberAlone,
  numberQuery,
  reporterQuery,
  type SearchWord,
  searchLength,
  type WordQuery,
  wordQueries,
  wordsAtMost,
} from './searchWords.js'

/** Users whose name has one word of a search; above that it finds too many reports to be of use. */
const peopleAtMost = 200

/** What incidents must say to be found: each of these. Empty: nothing can be meant by it, so none is found. */
export type Sought = { words: readonly WordQuery[]; byStaff: boolean }

/** What a search of somebody's asks for; the same words ask for more when staff type them. */
export async function soughtBy(text: string, byStaff: boolean): Promise<Sought> {
  const number = numberAlone(text)
  if (number !== null) {
    const wanted = numberQuery(number)
    return { words: [{ everywhere: wanted, inOffice: wanted }], byStaff }
  }
  return { words: wordQueries(await wordsOf(text, byStaff)), byStaff }
}

/** SQL's query, over the words of the office, for the reports of somebody by name or address; for staff only. */
export async function reportedBy(text: string): Promise<string> {
  const words = await wordsOf(text, false)
  if (words.length === 0) return ''
  const name = words.flatMap(({ plain }) => plain.map((part) => `'${part}':*`)).join(' & ')
  const people = await query<{ id: number }>(
    `select u.id from users u where search_lexemes(u.name) @@ $1::tsquery or lower(u.email) = lower($2)
     order by u.id limit ${peopleAtMost}`,
    [name, text.trim()],
  )
  return reporterQuery(
    people.map(({ id }) => id),
    words,
  )
}

/** The words of a text by the rules of the index (`migrations/searchIndex.ts`), in their order. */
function wordsOf(text: string, withPeople: boolean): Promise<SearchWord[]> {
  const named = `array(select u.id from users u where search_lexemes(u.name) @@ ('''' || w.word || ''':*')::tsquery
    order by u.id limit ${peopleAtMost})`
  return query<SearchWord>(
    `select tsvector_to_array(to_tsvector('pg_catalog.simple', w.word)) as plain, ${withPeople ? named : `'{}'::integer[]`} as people,
       array_to_json(array[
         to_json(tsvector_to_array(to_tsvector('pg_catalog.english', w.word))),
         to_json(tsvector_to_array(to_tsvector('pg_catalog.spanish', w.word)))
       ]) as stems
     from unnest(string_to_array(search_plain($1), ' ')) with ordinality w (word, place)
     where to_tsvector('pg_catalog.simple', w.word) <> ''
     order by w.place limit ${wordsAtMost}`,
    [[...text].slice(0, searchLength).join('')],
  )
}
