import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { asOwner } from '../support/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { count, scalar } from '../support/rows.js'
import { itInWholeRun } from '../support/run/extent.js'

const house = useHouse()
const page = '/admin/import'
const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

it('who may import residents is an admin; flats and contacts all of the office', async () => {
  const people = 'name,email\nWho May,may@example.com'
  expect((await sendSheet('units', 'tower,number,floor\nNorth Tower,W1,1', true, 'manager')).status).toBe(200)
  expect((await sendSheet('contacts', 'name\nWho may', true, 'manager')).status).toBe(200)
  expect((await sendSheet('residents', people, true, 'manager')).status).toBe(403)
  expect((await submitSheet('residents', { csv: people }, 'manager')).status).toBe(403)
  for (const [who, kinds] of [
    ['manager', 2],
    ['admin', 3],
  ] as const)
    expect((await house.page(who, page))('input[name=kind]')).toHaveLength(kinds)
  const towers = await house.ask('admin', '/api/admin/import/towers', { json: { csv: 'name\nA' } })
  expect(towers.status).toBe(404)
})

it('is refused when someone else has signed in since its form was opened', async () => {
  const before = await count('units')
  const typed = { csv: 'tower,number,floor\nNorth Tower,W2,1', writer: 'of another account' }
  const refused = await submitSheet('units', typed, 'manager')
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Someone else is signed in')
  expect(await count('units')).toBe(before)
})

describe('an import of flats', () => {
  it('stores every row, with an audit entry each', async () => {
    const since = await lastEntry()
    const sheet = 'tower,number,floor\nNorth Tower,N1,1\nnorth tower, N2 ,-2\nSouth Tower,N1,0\n'
    expect(await importSheet('units', sheet)).toEqual({
      kind: 'units',
      rows: 3,
      created: 3,
      updated: 0,
      unchanged: 0,
      ignoredColumns: [],
    })
    const made = await query<{ id: number; tower: string; number: string; floor: number }>(
      `select u.id, t.name as tower, number, floor from units u join towers t on t.id = u.tower_id
       where number like 'N_' order by u.id`,
    )
    expect(made.map(({ tower, number, floor }) => [tower, number, floor])).toEqual([
      ['North Tower', 'N1', 1],
      ['North Tower', 'N2', -2],
      ['South Tower', 'N1', 0],
    ])
    const entries = await latestEntries('unit.created', since)
    expect(entries.map(({ entityId }) => entityId)).toEqual(made.map(({ id }) => id))
    expect(entries[1]!.changes).toMatchObject({
      number: { before: null, after: 'N2' },
      floor: { before: null, after: -2 },
    })
    expect(new Set(entries.map(({ actorName }) => actorName)).size).toBe(1)
    // The same sheet again writes nothing.
    const last = await lastEntry()
    expect(await importSheet('units', sheet)).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(await lastEntry()).toBe(last)
  })

  it('moves a flat to another floor, and brings one back into use', async () => {
    await importSheet('units', 'tower,number,floor\nNorth Tower,M1,1\nNorth Tower,M2,1')
    await archiveUnit('M2')
    const since = await lastEntry()
    expect(
      await importSheet('units', 'tower,number,floor\nNorth Tower,m1,4\nNorth Tower,M2,1'),
    ).toMatchObject({
      updated: 2,
    })
    expect((await latestEntries('unit.updated', since))[0]!.changes).toEqual({
      floor: { before: 1, after: 4 },
    })
    expect(await latestEntries('unit.unarchived', since)).toHaveLength(1)
    expect(
      await query(`select number, floor, archived_at from units where number like 'M_' order by number`),
    ).toEqual([
      { number: 'M1', floor: 4, archivedAt: null },
      { number: 'M2', floor: 1, archivedAt: null },
    ])
  })

  it('stores nothing of a dry run', async () => {
    const before = [await count('units'), await lastEntry()]
    expect(await importSheet('units', 'tower,number,floor\nNorth Tower,D1,1', true)).toMatchObject({
      created: 1,
    })
    expect([await count('units'), await lastEntry()]).toEqual(before)
  })

  it('stores nothing at all when one row is wrong', async () => {
    const before = await count('units')
    const sheet = 'tower,number,floor\nNorth Tower,A1,1\nEast Tower,A2,1\nNorth Tower,A3,1'
    expect(await problemCodes('units', sheet)).toEqual([[3, 'tower', 'tower_unknown']])
    expect(await count('units')).toBe(before)
  })

  it('asks for a sheet instead of an empty one', async () => {
    const answer = await sendSheet('units', '  \n ')
    expect([answer.status, (await answer.json()).errors]).toEqual([
      422,
      { csv: ['Choose a file, or paste the cells'] },
    ])
  })

  itInWholeRun('names row 7,431 of 10,000, and stores them all once it is put right', async () => {
    const rows = (wrong?: number) =>
      Array.from({ length: 10_000 }, (_, i) => `North Tower,T${i + 2},${i + 2 === wrong ? 'roof' : 3}`)
    const sheet = (wrong?: number) => ['tower,number,floor', ...rows(wrong)].join('\n')
    const before = await count('units')
    expect(await problemCodes('units', sheet(7431))).toEqual([[7431, 'floor', 'not_floor']])
    expect(await count('units')).toBe(before)
    const since = await lastEntry()
    expect(await importSheet('units', sheet())).toMatchObject({ created: 10_000 })
    expect(await count('units')).toBe(before + 10_000)
    expect(await latestEntries('unit.created', since)).toHaveLength(10_000)
    // As the owner, whose statements may take their time.
    await asOwner(`delete from units where number ~ '^T[0-9]+$'`, house.url())
  })

  it('names a wrong row beside the limit of rows', async () => {
    const rows = Array.from({ length: 10_001 }, (_, i) => `North Tower,T${i},${i === 7429 ? 'roof' : 3}`)
    expect(await problemCodes('units', ['tower,number,floor', ...rows].join('\n'))).toEqual([
      [7431, 'floor', 'not_floor'],
      [10_002, null, 'too_many_rows'],
    ])
  })

  it('refuses more than 2 MB in words', async () => {
    const csv = `tower,number,floor,more\n${`North Tower,1,1,${'x'.repeat(1000)}\n`.repeat(2100)}`
    const answer = await sendSheet('units', csv)
    expect([answer.status, (await answer.json()).errors.csv]).toEqual([
      422,
      ['The file is larger than 2 MB. Split it into several files'],
    ])
  })

  it('is read whatever separates its cells, and however its columns are ordered and named', async () => {
    for (const [i, between] of [',', ';', '\t'].entries()) {
      const cells = [
        ['Storey', 'Flat', 'colour', 'BUILDING'],
        ['5', `O${i}`, 'red; "dark", red', 'South Tower'],
      ]
      const csv = cells
        .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(between))
        .join('\r\n')
      expect(await importSheet('units', `\ufeff${csv}`)).toMatchObject({
        created: 1,
        ignoredColumns: ['colour'],
      })
    }
    expect(await query(`select floor from units where number like 'O_'`)).toEqual(Array(3).fill({ floor: 5 }))
  })
})

describe('an import of contacts', () => {
  it('takes hours and who sees a contact as people write them, and leaves alone what it does not name', async () => {
    await importSheet('contacts', 'name,hoursWeekdays,Hours Saturday,public\nClock,8–17,24h,Yes')
    await importSheet('contacts', 'name,phone\nClock,1')
    const stored = `select hours_weekdays, hours_saturday, hours_sunday, is_public from contacts where name = 'Clock'`
    expect(await query(stored)).toEqual([
      { hoursWeekdays: '08:00-17:00', hoursSaturday: '00:00-24:00', hoursSunday: '', isPublic: true },
    ])
    expect(await problemCodes('contacts', 'name,hoursSunday,isPublic\nClock,late,maybe')).toEqual([
      [2, 'hoursSunday', 'not_hours'],
      [2, 'isPublic', 'not_yes_no'],
    ])
    expect(await problemCodes('contacts', 'name,isPublic\nClock,constructor')).toEqual([
      [2, 'isPublic', 'not_yes_no'],
    ])
  })

  it('adds new ones at the end, in their order, and changes those that are there', async () => {
    await importSheet('contacts', 'name,label,phone\nGas company,Day,1\nGas company,Night,2')
    const since = await lastEntry()
    const sheet =
      'name,label,phone,email,notes\nGas company,night,3,gas@example.com,\nPlumber,,4,,"Rings, twice\nthen waits"\nPainter,,5,,'
    expect(await importSheet('contacts', sheet)).toMatchObject({ created: 2, updated: 1, unchanged: 0 })
    expect((await latestEntries('contact.updated', since))[0]!.changes).toMatchObject({
      phone: { before: '2', after: '3' },
      email: { before: '', after: 'gas@example.com' },
    })
    const list = await house.json<{ name: string; label: string; phone: string; notes: string }[]>(
      'admin',
      '/api/contacts',
    )
    expect(list.slice(-4).map(({ name, phone }) => [name, phone])).toEqual([
      ['Gas company', '1'],
      ['Gas company', '3'],
      ['Plumber', '4'],
      ['Painter', '5'],
    ])
    expect(list.at(-2)!.notes).toBe('Rings, twice\nthen waits')
  })

  it('leaves alone what the sheet has no column for, and empties what it says is empty', async () => {
    await importSheet('contacts', 'name,phone,email,notes\nBaker,1,baker@example.com,Ring twice')
    await importSheet('contacts', 'name,phone,notes\nBaker,2,')
    expect(await query(`select phone, email, notes from contacts where name = 'Baker'`)).toEqual([
      { phone: '2', email: 'baker@example.com', notes: '' },
    ])
  })

  it('does not guess between two of one name', async () => {
    await importSheet('contacts', 'name,label\nTwin,One\nTwin,Two')
    expect(await problemCodes('contacts', 'name,phone\nTwin,1')).toEqual([[2, 'name', 'contact_ambiguous']])
  })

  it('makes each once when the same sheet comes twice at a time', async () => {
    const sheet = 'name,phone\nRace 1,1\nRace 2,1'
    const answers = await Promise.all(Array.from({ length: 3 }, () => importSheet('contacts', sheet)))
    expect(answers.map(({ created }) => created).sort()).toEqual([0, 0, 2])
    expect(await query(`select 1 from contacts where name like 'Race %'`)).toHaveLength(2)
  })
})

describe('an import of residents', () => {
  it('adds people who are active and have no password, in their flats', async () => {
    await importSheet(
      'units',
      'tower,number,floor\nNorth Tower,R1,1\nNorth Tower,R2,1\nSouth Tower,R1,1\nSouth Tower,R3,1',
    )
    const since = await lastEntry()
    const sheet = `name,email,tower,unit
Ada Lovelace,Ada@example.com,North Tower,R1
Grace Hopper,grace@example.com,,R3
Alan Turing,alan@example.com,,`
    expect(await importSheet('residents', sheet)).toMatchObject({ created: 3 })
    expect(
      await query(
        `select s.name, s.email, s.role, s.active, s.password_hash as hash, t.name || ' ' || u.number as unit
         from users s left join units u on u.id = s.unit_id left join towers t on t.id = u.tower_id
         where s.email ilike any('{ada@example.com,grace@example.com,alan@example.com}') order by s.id`,
      ),
    ).toEqual(
      [
        ['Ada Lovelace', 'Ada@example.com', 'North Tower R1'],
        ['Grace Hopper', 'grace@example.com', 'South Tower R3'],
        ['Alan Turing', 'alan@example.com', null],
      ].map(([name, email, unit]) => ({ name, email, role: 'resident', active: true, hash: null, unit })),
    )
    expect(await latestEntries('user.created', since)).toHaveLength(3)
    expect(await importSheet('residents', sheet)).toMatchObject({ unchanged: 3 })
    expect(await importSheet('residents', 'name,email\nAda King,ADA@example.com')).toMatchObject({
      updated: 1,
    })
    const [ada] = await query<{ name: string; unit: number }>(
      `select name, unit_id as unit from users where email = 'Ada@example.com'`,
    )
    expect(ada).toEqual({ name: 'Ada King', unit: expect.any(Number) })
  })

  it('touches no one who is staff, switched off or the app', async () => {
    await house.user({ name: 'Gone', email: 'gone@example.com', active: false })
    const sheet = `name,email\nMallory,manager@example.com\nMallory,gone@example.com\nMallory,${await scalar<string>('select email from users where is_mobile_reporter')}`
    expect(await problemCodes('residents', sheet)).toEqual([
      [2, 'email', 'not_a_resident'],
      [3, 'email', 'resident_inactive'],
      [4, 'email', 'not_a_resident'],
    ])
  })

  it('needs flats that are there and in use', async () => {
    await importSheet('units', 'tower,number,floor\nNorth Tower,S1,1\nSouth Tower,S1,1\nNorth Tower,S2,1')
    await archiveUnit('S2')
    const sheet = `name,email,tower,unit
A,a1@example.com,North Tower,S9
B,b1@example.com,,S1
C,c1@example.com,East Tower,S1
D,d1@example.com,North Tower,
E,e1@example.com,North Tower,S2
F,not an address,North Tower,S1`
    expect(await problemCodes('residents', sheet)).toEqual([
      [2, 'unit', 'unit_unknown'],
      [3, 'unit', 'unit_ambiguous'],
      [4, 'tower', 'tower_unknown'],
      [5, 'tower', 'unit_without_number'],
      [6, 'unit', 'unit_unknown'],
      [7, 'email', 'not_email'],
    ])
  })
})

describe('the pages, without script', () => {
  it('show what a file would do, and do it on the second submit', async () => {
    await importSheet('units', 'tower,number,floor\nNorth Tower,P1,1\nNorth Tower,P2,2')
    const before = await count('units')
    const file = 'tower;number;floor\r\nNorth Tower;P1;9\r\nNorth Tower;P2;2\r\nNorth Tower;P3;3\r\n'
    const { status, $ } = await preview('units', { file })
    expect(status).toBe(200)
    expect(
      $('.figures dd')
        .toArray()
        .map((dd) => $(dd).text()),
    ).toEqual(['1', '1', '1'])
    expect($('main').text()).toMatch(/Floor\s*1\s*→\s*9/)
    expect(await count('units')).toBe(before)

    const form = $('form[action="/admin/import/units"]')
    expect(form.find('button').text()).toBe('Import 2 rows')
    const body = new FormData()
    // A browser sends the line ends of a field as CR LF.
    body.set('csv', String(form.find('input[type=hidden][name=csv]').val()).replaceAll('\n', '\r\n'))
    body.set('formToken', String(form.find('[name=formToken]').val()))
    const stored = await house.ask('admin', '/admin/import/units', { body, headers: { accept: 'text/html' } })
    expect(stored.status).toBe(303)
    const end = await house.page('admin', stored.headers.get('location')!)
    expect(end('[role=status]').text()).toContain('1 new, 1 changed, 1 unchanged')
    expect(await count('units')).toBe(before + 1)
  })

  it('name the wrong rows, keep what was pasted, and offer nothing to store', async () => {
    const csv = 'tower,number,floor\nNorth Tower,<b>1</b>,attic'
    const { status, $ } = await preview('units', { csv })
    expect(status).toBe(422)
    expect($('title').text()).toMatch(/^Error/)
    expect($('#errors').attr('autofocus')).toBeDefined()
    expect(
      $('.records tbody tr')
        .toArray()
        .map((tr) => $(tr).text().replaceAll('\n', '')),
    ).toEqual([expect.stringMatching(/^Row 2floor“attic”/)])
    expect($('textarea[name=csv]').text().trim()).toBe(csv)
    expect($('input[name=kind][checked]').val()).toBe('units')
    expect($('form[action="/admin/import/units"]')).toHaveLength(0)
  })

  it('look again at the second submit: someone may have been quicker', async () => {
    const csv = 'name,email\nQuick,quick@example.com'
    const { status } = await preview('residents', { csv })
    expect(status).toBe(200)
    await house.user({ name: 'Quick', email: 'quick@example.com', role: 'board' })
    const body = new FormData()
    body.set('csv', csv)
    const answer = await house.ask('admin', '/admin/import/residents', { body, headers: html })
    expect(answer.status).toBe(422)
    const $ = load(await answer.text())
    expect($('.records').text()).toContain('quick@example.com')
    expect($('input[name=kind][checked]').val()).toBe('residents')
  })
})

type Kind = 'units' | 'contacts' | 'residents'

type Problem = { row: number; line: number; column: string | null; code: string; message: string }

/** Sends a sheet as JSON. */
function sendSheet(kind: Kind, csv: string, dryRun = false, who: Who = 'admin') {
  return house.ask(who, `/api/admin/import/${kind}`, { json: { csv, dryRun } })
}

/** Imports a sheet, in which nothing is wrong; what became of it. */
async function importSheet(kind: Kind, csv: string, dryRun = false) {
  const answer = await sendSheet(kind, csv, dryRun)
  const body = (await answer.json()) as Record<string, unknown>
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return body
}

/** What is wrong with a sheet. */
async function problems(kind: Kind, csv: string): Promise<Problem[]> {
  const answer = await sendSheet(kind, csv)
  expect(answer.status).toBe(422)
  const body = await answer.json()
  expect(body.code).toBe('import_refused')
  return body.rows
}

/** Where a sheet is wrong, and by which codes. */
async function problemCodes(kind: Kind, csv: string) {
  return (await problems(kind, csv)).map(({ row, column, code }) => [row, column, code])
}

/** What a browser sends when a sheet is chosen as a file, or pasted. */
async function submitSheet(
  kind: Kind,
  given: { file?: Buffer | string; csv?: string; writer?: string },
  who: Who = 'admin',
) {
  const body = new FormData()
  if (given.writer !== undefined) body.set('writer', given.writer)
  body.set('kind', kind)
  body.set('csv', given.csv ?? '')
  body.set(
    'file',
    new Blob([new Uint8Array(Buffer.from(given.file ?? ''))]),
    given.file === undefined ? '' : 'sheet.csv',
  )
  return house.ask(who, page, { body, headers: html })
}

/** The page that says what a sheet would do. */
async function preview(kind: Kind, given: { file?: Buffer | string; csv?: string }) {
  const answer = await submitSheet(kind, given)
  return { status: answer.status, $: load(await answer.text()) }
}

/** What was done in this way since an entry of the log. */
function latestEntries(action: string, since: number) {
  return query<{
    entityId: number
    actorName: string
    changes: Record<string, { before: unknown; after: unknown }>
  }>(
    `select entity_id, actor_name, changes from audit_entries
     where action = $1 and id > $2 order by id`,
    [action, since],
  )
}

/** The number of the newest entry of the log. */
function lastEntry() {
  return scalar<number>('select coalesce(max(id), 0) as id from audit_entries')
}

/** The office archives the flat of this number in the North Tower. */
async function archiveUnit(number: string): Promise<void> {
  const units = await house.json('manager', `/api/admin/units?towerId=1&q=${number}`)
  const { id } = units.find((unit: { number: string }) => unit.number === number)
  await house.json('manager', `/api/admin/units/${id}/archive`, { json: {} })
}
