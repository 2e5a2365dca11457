import { beforeEach, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { writeEndpoints } from '../../support/routes/endpoints.js'

const house = useHouse()
const { maya } = house
beforeEach(() => forgetCounts())

it('has an example of each act on several rows', () => {
  expect(Object.keys(acts).toSorted()).toEqual(bulkActs().toSorted())
})

it.each(bulkActs())('%s changes the selected rows and no other', async (name) => {
  const isOfEmails = name.startsWith('/admin/held-emails')
  const table = isOfEmails ? 'held_emails' : 'incidents'
  const rows = isOfEmails ? await emails() : await reports()
  const { path = name, fields, changed } = acts[name]!(rows)
  const before = await storedIn(table)
  const form = fields.map(([field, value]): [string, string] => [field, String(value)])
  const answer = await house.submit('manager', path, form)
  expect([200, 303]).toContain(answer.status)
  const after = await storedIn(table)
  const found = [...before.keys()].filter((id) => before.get(id) !== after.get(id))
  expect(found.toSorted((a, b) => a - b)).toEqual(changed)
  // The only new rows are the reports that were made from the selected emails.
  const added = [...after.keys()].filter((id) => !before.has(id))
  expect(added).toEqual([])
})

/** The acts on several rows at once: a request names rows of its choice in one of two fields. */
function bulkActs(): string[] {
  const namesRows = ['ids', 'duplicateIds']
  return writeEndpoints
    .filter(({ path, route }) => {
      const shape = (route?.body as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}
      return !path.startsWith('/api/') && namesRows.some((name) => name in shape)
    })
    .map(({ path }) => path)
}

type Act = { path?: string; fields: [string, string | number][]; changed: number[] }
type Rows = { selected: number[]; others: number[] }

function naming(ids: number[], name = 'ids'): [string, number][] {
  return ids.map((id) => [name, id])
}

/**
 * Each act on two selected rows; `changed`: those that it may change. Those of
 * the sorting are on emails.
 */
const acts: Record<string, (rows: Rows) => Act> = {
  '/admin/acknowledge': ({ selected }) => ({ fields: naming(selected), changed: selected }),
  '/admin/read': ({ selected }) => ({ fields: naming(selected), changed: selected }),
  '/admin/place': ({ selected }) => ({
    fields: [...naming(selected), ['assetId', 3]],
    changed: selected,
  }),
  '/admin/assign': ({ selected }) => ({
    fields: [...naming(selected), ['assignee', 'contact-4']],
    changed: selected,
  }),
  '/admin/selection': ({ selected }) => ({ fields: [...naming(selected), ['to', 'place']], changed: [] }),
  '/admin/merge/preview': ({ selected }) => ({ fields: naming(selected), changed: [] }),
  '/admin/merge': ({ selected }) => ({
    fields: [...naming(selected), ['shown', selected[0]!], ['shownSeverity', 'medium']],
    changed: selected,
  }),
  '/incidents/:id/duplicates/preview': ({ selected: [survivor, duplicate] }) => ({
    path: `/incidents/${survivor}/duplicates/preview`,
    fields: naming([duplicate!], 'duplicateIds[]'),
    changed: [],
  }),
  '/incidents/:id/duplicates': ({ selected: [survivor, duplicate] }) => ({
    path: `/incidents/${survivor}/duplicates`,
    fields: naming([duplicate!], 'duplicateIds[]'),
    changed: [survivor!, duplicate!],
  }),
  '/admin/held-emails/accept': ({ selected }) => ({ fields: naming(selected), changed: selected }),
  '/admin/held-emails/discard': ({ selected }) => ({ fields: naming(selected), changed: selected }),
}

/** What is stored of each row of a table, with what hangs on it. */
async function storedIn(table: 'incidents' | 'held_emails'): Promise<Map<number, string>> {
  const rows = await query<{ id: number; stored: string }>(
    table === 'held_emails'
      ? 'select id, held_emails::text as stored from held_emails'
      : `select i.id, i::text
           || coalesce((select string_agg(u::text, ',' order by u.id) from incident_updates u
             where u.incident_id = i.id), '')
           || coalesce((select string_agg(m::text, ',' order by m.user_id) from followers m
             where m.incident_id = i.id), '')
           as stored
         from incidents i`,
  )
  return new Map(rows.map(({ id, stored }) => [id, stored]))
}

async function reports(): Promise<Rows> {
  const ids: number[] = []
  // The oldest and the most severe of the place are not among the selected.
  for (const severity of ['critical', 'medium', 'low', 'high'] as const) {
    const id = await house.report({ assetId: 1, severity, title: 'The same lift' })
    await maya.comments(id, 'Any news?')
    ids.push(id)
  }
  return { selected: ids.slice(1, 3), others: [ids[0]!, ids[3]!] }
}

async function emails(): Promise<Rows> {
  const ids: number[] = []
  for (let n = 0; n < 4; n++) ids.push(await heldEmail({ subject: `Smell ${n}` }))
  return { selected: ids.slice(1, 3), others: [ids[0]!, ids[3]!] }
}
