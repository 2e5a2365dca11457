import { query } from '../../platform/db/database.js'
import {
  numberAlone,
  numberQuery,
  type Places,
  reporterQuery,
  type SearchWord,
  searchLength,
  type WordQuery,
  wordQueries,
  wordsAtMost,
} from './searchWords.js'

/** Users whose name has one word of a search; above that it finds too many reports to be of use. */
const peopleAtMost = 200

/** A word, and the places with such a name, category, code or tower; without `places` when there are none. */
export type SoughtWord = WordQuery & { places?: Places }

/** What incidents must say or be about: each of these. Empty: nothing can be meant by it, so none is found. */
export type Sought = { words: readonly SoughtWord[]; byStaff: boolean }

/**
 * What a search asks for; the same words ask for more when staff type them. `byFlat`: numbers of flats count as words,
 * for readers who may see which flat a report is about.
 */
export async function soughtBy(text: string, byStaff: boolean, byFlat = byStaff): Promise<Sought> {
  const number = numberAlone(text)
  if (number !== null) {
    const wanted = numberQuery(number)
    return { words: [{ everywhere: wanted, inOffice: wanted }], byStaff }
  }
  return { words: await withPlaces(wordQueries(await wordsOf(text, byStaff)), byFlat), byStaff }
}

/** The assets and flats that each word names. There are few of them in a building, so no index keeps them. */
async function withPlaces(words: readonly WordQuery[], byFlat: boolean): Promise<SoughtWord[]> {
  if (words.length === 0) return []
  const named = await query<Places>(
    `with t as materialized (select id, search_lexemes(name) as words from towers),
       a as materialized (
         select a.id, t.words || search_lexemes(concat_ws(' ', a.name, a.category, a.code)) as words
         from assets a join t on t.id = a.tower_id
       ),
       u as materialized (
         select u.id, t.words || case when $2 then to_tsvector('pg_catalog.simple', search_plain(u.number)) else '' end as words
         from units u join t on t.id = u.tower_id
       )
     select array(select a.id from a where a.words @@ w.wanted::tsquery) as "assetIds",
       array(select u.id from u where u.words @@ w.wanted::tsquery) as "unitIds"
     from unnest($1::text[]) with ordinality w (wanted, place) order by w.place`,
    [words.map(({ everywhere }) => everywhere), byFlat],
  )
  return words.map((word, i) => {
    const places = named[i]!
    return places.assetIds.length + places.unitIds.length > 0 ? { ...word, places } : word
  })
}

/** SQL's query, over the words of the office, for the reports of someone by name or address; for staff only. */
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
