import { query } from '../platform/db/database.js'

/** Updates whose texts are compared: an email of ours quotes the latest ones. */
const mostUpdates = 300

/**
 * What our emails about these reports may quote, those of reports merged with them included:
 * titles, descriptions, updates (hidden ones were sent before), places and the names of writers.
 */
export async function storedTexts(incidentIds: readonly number[]): Promise<string[]> {
  if (incidentIds.length === 0) return []
  const rows = await query<{ text: string }>(
    `with named as (
       select i.* from incidents i
       where i.id = any ($1) or i.merged_into_id = any ($1)
         or i.id in (select merged_into_id from incidents where id = any ($1))
     ), latest as (
       select * from incident_updates where incident_id in (select id from named)
       order by created_at desc, id desc limit $2
     )
     select distinct text from (
       select unnest(array[
         i.title, i.description, i.hidden_title, i.hidden_description, a.name, u.name, u.number, u.tower_name
       ]) as text
       from named i
       left join assets a on a.id = i.asset_id
       left join named_units u on u.id = i.unit_id
       union all
       select unnest(array[l.body, l.hidden_body, l.author_label, w.name])
       from latest l left join users w on w.id = l.author_id
     ) texts where text <> ''`,
    [incidentIds, mostUpdates],
  )
  return rows.map(({ text }) => text)
}
