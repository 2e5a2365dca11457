import { parse } from 'csv/sync'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { sorts } from '../../../src/incidents/model/search/filters.js'
import { query } from '../../../src/platform/db/database.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { userIdOf } from '../../support/accounts.js'
import type { Person } from '../../support/house/acting.js'
import { notStaff, type Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { scalar } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'

const house = useHouse()
const { office } = house

describe('a word', () => {
  let caldera = 0
  let boiler = 0
  beforeAll(async () => {
    caldera = await lowReport({
      title: 'La caldera hace ruido',
      description: 'Averías en la calefacción, ¡otra vez!',
    })
    boiler = await lowReport({
      title: 'Heating boilers leaking/dripping',
      description: 'Straße, "Łódź": it’s the lift-shaft',
    })
  })

  it.each(['elevator', 'Elevators', 'eleva', 'ascensor', 'ascensores', 'elevador'])(
    'finds reports about a lift by another word for its category: %s',
    async (word) => {
      const report = await lowReport({
        title: 'Stuck on three',
        assetId: await house.lift(`East one, ${word}`),
      })
      const found = await house.json('guest', `/api/incidents?q=${word}&limit=5`)
      expect(found.map(({ id }: { id: number }) => id)).toContain(report)
    },
  )

  it('finds what Spanish and English mean by it, and nothing else', async () => {
    const spanish = ['CALDERA', 'calderas', 'cald', 'averia', 'AVERÍAS', 'ruido calefaccion', 'hacen ruidos']
    const english = [
      'boilers',
      'boil',
      'leaks',
      'dripping',
      'drip',
      'heatin',
      'boiler is leaking',
      'leaking boi',
      'lodz',
      'Łódź',
      'strasse',
      'shaft',
      '"boiler"',
      'boiler & leak',
      '(boiler',
      'boiler:*',
    ]
    const nothing = ['boiler zebra', 'oiler', 'caldera leaking', '🔥', '& | ! ( ) :*']
    for (const q of spanish) expect(await finds('guest', q, caldera), q).toBe(true)
    for (const q of english) expect(await finds('guest', q, boiler), q).toBe(true)
    for (const q of nothing) expect(await finds('guest', q, boiler), q).toBe(false)
  })

  it('that says nothing is looked for when there is no other', async () => {
    expect((await search('guest', { q: 'the it is' })).length).toBeGreaterThan(0)
  })

  it('of blanks alone is no search', async () => {
    expect(await search('guest', { q: '   ' })).toEqual(await search('guest', {}))
  })
})

describe('a number', () => {
  it('finds its incident, however it is written, and what says it', async () => {
    const id = await lowReport({ title: 'Known by its number' })
    const other = await lowReport({ title: `As in ${id} already` })
    for (const q of [`INC-${id}`, `inc ${id}`, `#${id}`, ` inc-${id} `])
      expect(idsOf(await search('guest', { q })), q).toEqual([id])
    const both = idsOf(await search('guest', { q: String(id) }))
    expect(both).toEqual(expect.arrayContaining([id, other]))
    expect(await finds('guest', `${id}`.slice(0, -1), other)).toBe(false)
  })

  it('of a duplicate finds where that went, with a link to itself', async () => {
    const [survivor, duplicate] = [
      await lowReport({ title: 'It stays' }),
      await lowReport({ title: 'It goes' }),
    ]
    await office.merges(duplicate, survivor)
    expect(idsOf(await search('guest', { q: `INC-${duplicate}` }))).toEqual([survivor])
    const page = await house.page('guest', `/incidents?q=INC-${duplicate}`)
    expect(page(`main a[href="/incidents/${duplicate}"]`).text()).toContain('It goes')
  })

  it('of nothing finds nothing', async () => {
    for (const q of ['INC-0', '#2147483647', '#9999999999']) expect(await search('guest', { q })).toEqual([])
  })
})

describe('what is searched', () => {
  it('are title, description and entries of an incident and of its duplicates, while they are that', async () => {
    const survivor = await lowReport({ title: 'Quokka', description: 'Wombat' })
    const duplicate = await lowReport({ title: 'Bandicoot' })
    await comment(survivor, 'Platypus')
    await comment(duplicate, 'Echidna')
    for (const word of ['quokka', 'wombat', 'platypus'])
      expect(await finds('guest', word, survivor)).toBe(true)
    expect(await finds('guest', 'bandicoot echidna', survivor)).toBe(false)
    await office.merges(duplicate, survivor)
    expect(idsOf(await search('guest', { q: 'quokka bandicoot echidna' }))).toEqual([survivor])
    await comment(survivor, 'Numbat')
    await house.json('manager', `/api/incidents/${duplicate}/unmerge`, { json: {} })
    expect(idsOf(await search('guest', { q: 'bandicoot echidna' }))).toEqual([duplicate])
    expect(idsOf(await search('guest', { q: 'numbat' }))).toEqual([survivor])
    await house.json('manager', `/api/incidents/${survivor}`, { method: 'PATCH', json: { title: 'Koala' } })
    expect(await finds('guest', 'quokka', survivor)).toBe(false)
    expect(await finds('guest', 'koala', survivor)).toBe(true)
    expect(await wrongRows()).toEqual([])
  })

  it('are notes and reporters’ names for staff, and for nobody else', async () => {
    const id = await lowReport({ title: 'Smell', isAnonymous: true })
    await office.notes(id, 'Thylacine suspected')
    const { name } = (
      await query<{ name: string }>(`select name from users where email = 'resident@example.com'`)
    )[0]!
    for (const q of ['thylacine', 'smell thylacine', name, `smell ${name.split(' ')[0]}`]) {
      expect(await finds('manager', q, id), q).toBe(true)
      for (const who of ['guest', 'resident'] as const)
        expect(await finds(who, q, id), `${who} ${q}`).toBe(false)
    }
    const path = `/api/admin/users/${await userIdOf('resident')}`
    await house.json('admin', path, { method: 'PATCH', json: { name: 'Renamed Person' } })
    expect(await finds('board', 'renamed', id)).toBe(true)
    expect(await finds('board', name, id)).toBe(false)
    await house.json('admin', path, { method: 'PATCH', json: { name } })
  })

  it('is the sender of an email for staff', async () => {
    const from = 'Xanthippe Quill <x.quill@outside.test>'
    await house.emails({ from, subject: 'Cockatoo', text: 'In the yard' })
    const [{ id }] = (await search('guest', { q: 'cockatoo' })) as [Row]
    for (const given of [
      { q: 'quill' },
      { reporter: 'x.quill@outside.test' },
      { reporter: 'quill' },
    ] as Record<string, string>[]) {
      expect(idsOf(await search('manager', given))).toEqual([id])
      if (given.q) expect(await search('resident', given)).toEqual([])
    }
  })

  it('is what any run of acts leaves', async () => {
    const texts = fc.constantFrom('one', 'dos años', 'Heat & water', '', '🔥', 'x'.repeat(3000))
    const act = fc.record({ act: fc.nat(6), a: fc.nat(5), b: fc.nat(5), text: texts })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const ids = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => lowReport({ title: `Run ${n}` })))
        for (const { act, a, b, text } of acts) await anyAct(act, ids[a]!, ids[b]!, text)
        expect(await wrongRows()).toEqual([])
      }),
      { numRuns: perRun({ quick: 3, whole: 25 }) },
    )
  })

  let emails = 0
  /** An email with more words than are published, of somebody else each time. */
  async function byEmail(id: number, text: string): Promise<void> {
    emails += 1
    await house.emails({
      from: `ada@run${emails}.example`,
      subject: `[INC-${id}] ${emails}`,
      text: `${text}\n\n-- \nSignature ${emails}`,
    })
  }

  /** Some are refused, by the rules of merging: then nothing has changed. */
  async function anyAct(act: number, id: number, other: number, text: string): Promise<void> {
    const to = (path: string, json: object, method = 'POST') =>
      house.ask('manager', `/api/incidents/${id}${path}`, { method, json })
    if (act === 0) await to('/updates', { body: text })
    if (act === 1) await to('/merge', { targetId: other })
    if (act === 2) await to('/unmerge', {})
    if (act === 3) await to('/notes', { note: text })
    if (act === 4) await to('', { title: text || 'None', description: text }, 'PATCH')
    if (act === 5) await to('/updates', { newStatus: 'acknowledged' })
    if (act === 6) await byEmail(id, text)
  }
})

describe('a filter', () => {
  /** Every filter there is, and some together. */
  const filters: Record<string, string>[] = perRun<Record<string, string>>({
    quick: { every: 3 },
    whole: [
      { q: 'lift' },
      { q: 'the water' },
      { open: 'true' },
      { open: 'false' },
      { towerId: '1' },
      { towerId: '999999' },
      { assetId: '2' },
      { unitId: '1' },
      { from: '2020-01-01', to: '2099-12-31' },
      { to: '2020-01-01' },
      { from: '2026-11-01T10:00:00Z', sort: 'oldest' },
      { reporter: 'resident@example.com' },
      { reporter: 'okafor' },
      { reporter: 'nobody is called this' },
      { reporter: '!!!' },
      { assignee: 'nobody' },
      { assignee: 'staff-1' },
      { assignee: 'contact-1' },
      { includeMerged: 'true', q: 'lift', open: 'false' },
      { towerId: '1', open: 'true', sort: 'severity', q: 'a' },
    ],
  }).concat(sorts.map((sort) => ({ sort, q: 'lift', from: '2020-01-01' })))

  it.each(filters)('gives the same as JSON, page by page, on the page and as a file: %o', async (given) => {
    const all = idsOf(await search('manager', given))
    const paged: number[] = []
    let next: string | null = `/api/incidents?${new URLSearchParams({ ...given, limit: '12' })}`
    while (next) {
      const answer: Response = await house.ask('manager', next)
      paged.push(...idsOf((await answer.json()) as Row[]))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(paged).toEqual(all)
    const page = await house.page('manager', `/incidents?${new URLSearchParams({ ...given, limit: '500' })}`)
    expect(
      page('.incidents > li')
        .toArray()
        .map((li) => Number(page(li).attr('id')!.slice(4))),
    ).toEqual(all.slice(0, limits.rowsOnPage))
    const file = await house.ask('manager', `/api/export/incidents.csv?${new URLSearchParams(given)}`)
    const lines = parse(await file.text(), { columns: true, record_delimiter: '\r\n' }) as Record<
      string,
      string
    >[]
    expect(lines.map(({ id }) => Number(id))).toEqual(all)
  })

  it('finds what it says', async () => {
    const everything = await house.json('manager', '/api/incidents?limit=500')
    const open = idsOf(
      everything.filter(({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt === null),
    )
    expect(idsOf(await search('guest', { open: 'true' }))).toEqual(open)
    const inTower = await query<{ id: number }>(
      `select i.id from incidents i left join assets a on a.id = i.asset_id left join units u on u.id = i.unit_id
       where coalesce(a.tower_id, u.tower_id) = 1 and i.merged_into_id is null order by i.id desc`,
    )
    expect(idsOf(await search('guest', { towerId: '1' }))).toEqual(idsOf(inTower as Row[]))
    const byRank = await search('guest', { sort: 'severity' })
    const rank = (row: Row) =>
      ['critical', 'high', 'medium', 'low'].indexOf((row as Row & { severity: string }).severity)
    expect(byRank.map(rank)).toEqual(byRank.map(rank).toSorted((a, b) => a - b))
    const id = await lowReport({ title: 'Old but alive' })
    await lowReport({ title: 'Newer' })
    await comment(id, 'Still')
    expect(idsOf(await search('guest', { sort: 'activity' }))[0]).toBe(id)
    expect(await wrongRows()).toEqual([])
  })

  it('that is for staff is closed to others', async () => {
    for (const given of [{ reporter: 'Okafor' }, { assignee: 'nobody' }, { sort: 'due' }])
      for (const [who, status] of notStaff.filter(([who]) => ['guest', 'resident'].includes(who)))
        for (const path of ['/incidents', '/api/incidents'])
          expect((await house.ask(who, `${path}?${new URLSearchParams(given)}`)).status).toBe(status)
    const form = await house.page('resident', '/incidents')
    expect(form('[name=reporter], [name=assignee]')).toHaveLength(0)
  })

  it('that makes no sense is refused', async () => {
    for (const given of [
      'after=1',
      'after=1.x',
      'sort=activity&after=1.MQ',
      'sort=none',
      'from=soon',
      'assignee=me',
      'assignee=staff-9999999999',
    ])
      expect((await house.ask('manager', `/api/incidents?${given}`)).status, given).toBe(400)
  })

  it('is shown in words, each with a way to take it away', async () => {
    const page = await house.page('manager', '/incidents?q=lift&status=open&sort=oldest&towerId=1&limit=3')
    const links = page('.chosen a')
      .toArray()
      .map((a) => page(a).attr('href'))
    expect(links).toContain('/incidents?status=open&sort=oldest&towerId=1')
    expect(links).toContain('/incidents?q=lift&sort=oldest&towerId=1')
    expect(links).toContain('/incidents')
    expect(page('#found > p').text()).toMatch(/^Showing 3/)
    expect(page('input[name=q]').val()).toBe('lift')
  })

  it('is "off" by the word "false" only where it is a switch', async () => {
    const page = await house.page('manager', '/incidents?q=false&open=false&reporter=false')
    expect(page('title').text()).toMatch(/^false: /)
    const links = page('.chosen a[href*="="]').toArray()
    expect(links.map(({ attribs }) => attribs.href)).toEqual([
      '/incidents?open=false&reporter=false',
      '/incidents?q=false&open=false',
    ])
  })
})

describe('a name', () => {
  const titles = async (who: Who, q: string) => (await search(who, { q })).map(({ title }) => title)

  it('of an asset, its tower, category or code finds the reports about it', async () => {
    const [asset] = await house.json('manager', '/api/admin/assets')
    const fields = { name: 'Paternoster', category: 'Zauberlift', code: 'QX-77', towerId: asset.towerId }
    const { id: assetId } = await house.json('manager', '/api/admin/assets', { json: fields })
    const words = { title: 'It squeals', description: 'All day' }
    await lowReport({ ...words, assetId })
    const name = await scalar<string>('select name from towers where id = $1', [asset.towerId])
    for (const who of ['guest', 'manager'] as const) {
      for (const q of ['paternoster', 'paterno', 'zauberlift', 'QX-77', `${name} paternoster squeals`])
        expect(await titles(who, q), `${who}: ${q}`).toEqual(['It squeals'])
      expect(await titles(who, 'paternoster leaking')).toEqual([])
    }
    await house.json('manager', `/api/admin/assets/${assetId}`, {
      method: 'PATCH',
      json: { name: 'Beltlift' },
    })
    expect([await titles('guest', 'beltlift'), await titles('guest', 'paternoster')]).toEqual([
      ['It squeals'],
      [],
    ])
  })

  it('of a flat finds its reports, for who may see flats', async () => {
    const unitId = await house.unit({ number: '77Q' })
    await lowReport({ title: 'Damp', unitId, assetId: null })
    expect([await titles('guest', '77q'), await titles('manager', '77Q')]).toEqual([['Damp'], ['Damp']])
    await showUnitsTo('staff')
    expect([await titles('guest', '77q'), await titles('manager', '77Q')]).toEqual([[], ['Damp']])
    await showUnitsTo('everybody')
  })
})

describe('any search', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...`'"\\:*&|!<->()#%@ aé12ñ🔥`), maxLength: 30 }),
    fc.constantFrom("' or 1=1 --", "a':*", 'the', '\\', "''", 'a'.repeat(5000), 'ẞ İ ﬁ ½', 'INC-', '#'),
    fc.constantFrom('\u0301', '中文 字'),
  )

  it('is answered, to anybody, and to staff with at least as much', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        for (const name of ['q', 'reporter']) {
          const address = `/api/incidents?${new URLSearchParams({ [name]: text })}`
          const [mine, theirs] = await Promise.all([
            house.ask('manager', address),
            house.ask('guest', address),
          ])
          const refused = text.includes('\0') || !text.isWellFormed()
          expect([mine.status, text]).toEqual([refused ? 400 : 200, text])
          if (name === 'q' && !refused) {
            const [more, fewer] = [(await mine.json()) as Row[], (await theirs.json()) as Row[]]
            expect(idsOf(more)).toEqual(expect.arrayContaining(idsOf(fewer)))
          }
        }
      }),
      { numRuns: perRun({ quick: 8, whole: 200 }) },
    )
  })

  it('of ten megabytes is refused as too long', async () => {
    const answer = await house.ask('guest', `/api/incidents?q=${'boiler+'.repeat(20_000)}`).catch(() => null)
    expect([null, 414, 431]).toContain(answer?.status ?? null)
  })

  it('finds a report by what it says, whatever that is', async () => {
    const word = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnñopqrstuvwxyzáéíóúüABCDÉ0123456789'),
      minLength: 2,
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', '/', ', ', '-', '. '),
        async (words, between) => {
          const id = await lowReport({ title: 'Any', description: words.join(between) })
          expect(await finds('guest', words.join(' '), id), words.join(' ')).toBe(true)
          expect(await finds('manager', words.join(between).toUpperCase(), id), words.join(' ')).toBe(true)
        },
      ),
      { numRuns: perRun({ quick: 4, whole: 60 }) },
    )
  })
})

type Row = { id: number; title: string }

function search(who: Who, filters: Record<string, string>): Promise<Row[]> {
  return house.json<Row[]>(who, `/api/incidents?${new URLSearchParams({ limit: '500', ...filters })}`)
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map(({ id }) => id)
}

async function finds(who: Who, q: string, id: number | undefined): Promise<boolean> {
  return idsOf(await search(who, { q })).includes(id!)
}

function lowReport(given: GivenReport, reporter: Person = 'resident'): Promise<number> {
  return house.report({ reporter, assetId: 1, severity: 'low', ...given })
}

function comment(id: number, body: string, who: Who = 'resident') {
  return house.json(who, `/api/incidents/${id}/updates`, { json: { body } })
}

function showUnitsTo(unitVisibility: 'staff' | 'everybody') {
  return house.json('manager', '/api/admin/property', { method: 'PATCH', json: { unitVisibility } })
}

/** Where the index is not what it has to hold, by all texts as they are. */
function wrongRows() {
  return query<{ id: number }>(
    `select i.id from incidents i left join incident_search s on s.incident_id = i.id
       cross join lateral search_row_of(i.id) made
     where (s.active_at, s.words, s.office_words) is distinct from (made.active_at, made.words, made.office_words)`,
  )
}
