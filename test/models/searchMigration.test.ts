import { expect, it } from 'vitest'
import { down, up } from '../../migrations/20261122138100_incident_search.js'
import { database, query } from '../../src/platform/db/database.js'
import { migrate } from '../../src/platform/db/migrate.js'
import { useDatabase } from '../support/database.js'

useDatabase({ empty: true })

/** A building from before the search: duplicates, entries, notes, mails, and more incidents than one batch. */
const old = `
  insert into towers (name) values ('North');
  insert into units (tower_id, number, floor) values (1, '1', 1);
  insert into users (name, email, role) values ('Ana', 'ana@example.com', 'resident'), ('Bo', 'bo@example.com', 'manager');
  insert into incidents (title, description, severity, source, unit_id, reporter_id)
  select 'Caldera ' || n, 'Averiada desde ayer', 'low', 'web', 1, (select id from users where name = 'Ana') from generate_series(1, 1200) n;
  insert into incidents (title, severity, source, reporter_label, reporter_email)
  values ('Rats', 'low', 'email', 'Jo Quill', 'jo@outside.test');
  update incidents set status = 'verified', acknowledged_at = created_at, resolved_at = created_at, verified_at = created_at,
    merged_into_id = 1 where id in (3, 4);
  insert into incident_updates (incident_id, author_id, body) select id, (select id from users where name = 'Bo'), 'Engineer ordered'
  from incidents where id % 7 = 3;
  insert into internal_notes (incident_id, author_id, body) values (3, (select id from users where name = 'Bo'), 'Talked to Ana')`

const rows = () => query('select incident_id, active_at, words, office_words from incident_search order by 1')

it('a building that is there is filled, again where that ended in the middle, as its writes had made it', async () => {
  await migrate()
  await down(database())
  await query(old)
  await up(database())
  const filled = await rows()
  expect(filled).toHaveLength(1201)
  const found = (words: string) =>
    query('select incident_id as id from incident_search where words @@ $1::tsquery order by 1', [words])
  expect(await found(`'caldera' & 'engineer'`)).toEqual(
    expect.arrayContaining([{ id: 1 }, { id: 3 }, { id: 10 }]),
  )
  expect(await found(`'#4'`)).toEqual([{ id: 1 }, { id: 4 }])
  expect(await found(`'talk' | 'quill'`)).toEqual([])

  await query('delete from incident_search where incident_id % 3 = 0')
  await up(database())
  expect(await rows()).toEqual(filled)

  await query('delete from incident_search where incident_id = 10')
  await query(`insert into incident_updates (incident_id, body) values (10, 'Written before it was filled')`)
  expect(await found(`'filled'`)).toEqual([{ id: 10 }])
  const wrong = await query(
    `select i.id from incidents i left join incident_search s on s.incident_id = i.id cross join lateral search_row_of(i.id) made
     where (s.active_at, s.words, s.office_words) is distinct from (made.active_at, made.words, made.office_words)`,
  )
  expect(wrong).toEqual([])
})
