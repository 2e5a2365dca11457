import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAdmin } from '../../src/accounts/people/makeAdmin.js'
import { query } from '../../src/platform/db/database.js'
import { texts } from '../../src/text/index.js'
import { foldedName, houseNames, nameProblem, officeNames } from '../../src/vocabulary/people/personName.js'
import { userIdOf } from '../support/accounts.js'
import { useHouse } from '../support/house/house.js'
import { scalar } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
let manager = ''
let building = ''

beforeAll(async () => {
  manager = (await house.json('manager', '/api/account')).name
  building = (await house.json('guest', '/api/status')).property.name
})

describe('a name someone gives themselves', () => {
  it("is not one of the staff's, however it is written", async () => {
    for (const disguise of disguises) {
      const answer = await rename(disguise(manager))
      expect([answer.status, (await answer.json()).errors], disguise(manager)).toEqual([
        422,
        { name: ['A member of staff has this name. Add an initial'] },
      ])
    }
    const form = await house.submit('resident', '/account', { name: manager, locale: 'es' })
    expect(form.status).toBe(422)
    expect(await nameOf('resident@example.com')).not.toBe(manager)
    const board = await nameOf('board@example.com')
    const staff = await house.ask('manager', '/api/account', { method: 'PATCH', json: { name: board } })
    expect(staff.status).toBe(422)
    const admin = await house.ask('admin', `/api/admin/users/${await userIdOf('admin@example.com')}`, {
      method: 'PATCH',
      json: { name: board },
    })
    expect(admin.status).toBe(422)
  })

  it('is not that of the office as pages say it, nor that of the phones', async () => {
    for (const name of ['The office', 'the  OFFICE', 'La Administración', 'Mobile Reporter'])
      expect((await rename(name)).status, name).toBe(422)
    for (const { desk, ofTheOffice } of Object.values(texts))
      expect(officeNames).toEqual(expect.arrayContaining([desk.officeSaid('').split(',')[0], ofTheOffice]))
  })

  it("may be their own as it is, another resident's, and anything else", async () => {
    const mine = await nameOf('resident@example.com')
    const [other] = await query<{ name: string }>(
      `select name from users where role = 'resident' and not is_mobile_reporter and name <> $1 limit 1`,
      [mine],
    )
    for (const name of [
      mine,
      mine.toUpperCase(),
      other!.name,
      'سارة احمد',
      'می‌خواهم',
      '李小龍',
      "O'Neil-Łoś 3",
      `${manager} (flat 12)`,
      mine,
    ])
      expect((await rename(name)).status, name).toBe(200)
    expect(await nameOf('resident@example.com')).toBe(mine)
    const same = await house.ask('manager', '/api/account', {
      method: 'PATCH',
      json: { name: manager.toUpperCase() },
    })
    expect(same.status).toBe(200)
    await house.json('manager', '/api/account', { method: 'PATCH', json: { name: manager } })
  })

  it("does not become a staff member's by being quick", async () => {
    const [member, manager] = [
      await house.newcomer({ role: 'board' }),
      await house.newcomer({ role: 'manager' }),
    ]
    for (let round = 0; round < 2; round++) {
      const name = `Quick ${String.fromCodePoint(65 + round)}`
      const [one, two] = await Promise.all([
        house.ask(member, '/api/account', { method: 'PATCH', json: { name } }),
        house.ask(manager, '/api/account', { method: 'PATCH', json: { name: name.toUpperCase() } }),
      ])
      expect([one.status, two.status].sort()).toEqual([200, 422])
    }
  })
})

describe('the names of the service', () => {
  const unseen = ['Tom\u202easz', 'A\u0007b', 'A\nb', 'a\u2066b', '\u200b', '\u200d', 'a\u200eb']
  const reserved = () =>
    [...houseNames, building].flatMap((name) => [name, name.toUpperCase(), name.replaceAll(' ', '\u00a0')])

  it('are those of every language of the catalogue', () => {
    for (const { anonymous, byEmail, system } of Object.values(texts))
      for (const name of [anonymous, byEmail, system]) expect(houseNames).toContain(name)
  })

  it("are no one's, and none has what cannot be seen, whoever gives it", async () => {
    const ways: [string, (name: string) => Promise<number>][] = [
      ['themselves', async (name) => (await rename(name)).status],
      [
        'an admin who adds them',
        async (name) =>
          (
            await house.ask('admin', '/api/admin/users', {
              json: { name, email: `n${randomUUID()}@example.com`, role: 'resident', active: false },
            })
          ).status,
      ],
      [
        'an admin who changes them',
        async (name) =>
          (
            await house.ask('admin', `/api/admin/users/${await userIdOf('resident@example.com')}`, {
              method: 'PATCH',
              json: { name },
            })
          ).status,
      ],
      [
        'a sheet',
        async (name) =>
          (
            await house.ask('admin', '/api/admin/import/residents', {
              json: { csv: `name,email\n"${name}",sheet${randomUUID()}@example.com` },
            })
          ).status,
      ],
      [
        'the command line',
        async (name) =>
          makeAdmin({ name, email: `cli${randomUUID()}@example.com`, password: 'a long pass phrase' }).then(
            () => 201,
            ({ fields }) => (fields?.name ? 422 : 500),
          ),
      ],
    ]
    const before = await query('select name from users order by id')
    const few = [houseNames[0]!, building.toUpperCase(), unseen[0]!, unseen[4]!]
    for (const [who, give] of ways)
      for (const name of who === 'themselves' ? [...reserved(), ...unseen] : few)
        expect(await give(name), `${who}: ${JSON.stringify(name)}`).toBe(422)
    expect(await query('select name from users order by id')).toEqual(before)
  })

  it('are not given to the house when someone has them', async () => {
    const name = await nameOf('board@example.com')
    const answer = await house.ask('admin', '/api/admin/property', { method: 'PATCH', json: { name } })
    expect([answer.status, (await answer.json()).errors]).toEqual([
      422,
      { name: ['Someone here already has this name'] },
    ])
  })

  it('leave an admin any other name to enter', async () => {
    const made = await house.json('admin', '/api/admin/users', {
      json: { name: manager, email: 'namesake@example.com', role: 'resident', active: true },
    })
    expect(made.name).toBe(manager)
    await house.ask('admin', `/api/admin/users/${made.id}`, { method: 'DELETE' })
  })
})

it('folding is the same for the folded, and says nothing of a plain name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
      expect(foldedName(foldedName(name))).toBe(foldedName(name))
      expect(foldedName(` ${name.normalize('NFC')}\u200b`)).toBe(foldedName(name))
    }),
    { numRuns: perRun({ quick: 400, whole: 2_000 }) },
  )
  for (const name of ['Maya Okafor', 'Žofie', 'Ng', 'محمد', 'Ana 2'])
    expect(nameProblem(name, 'The House')).toBeNull()
})

describe('words of the office', () => {
  const { maya, office, app } = house
  const rolesIn = async (who: 'guest' | 'resident' | 'manager' | 'mobile', id: number) =>
    (await house.json(who, `/api/incidents/${id}`)).updates.map(
      ({ body, authorRole }: { body: string; authorRole?: string }) => [body, authorRole],
    )

  it("say so to every reader, and no one else's do", async () => {
    const id = await maya.reports(7)
    await maya.comments(id, 'mine')
    await office.answers(id, 'theirs')
    await app.comments(id, 'by app')
    for (const who of ['guest', 'mobile'] as const)
      expect(await rolesIn(who, id)).toEqual([
        ['mine', undefined],
        ['theirs', 'manager'],
        ['by app', undefined],
      ])
    const again = await office.json(`/api/incidents/${id}/updates`, { json: { body: 'again' } })
    expect(again).toMatchObject({ authorRole: 'manager' })
    for (const who of ['guest', 'manager'] as const) {
      const page = await house.page(who, `/incidents/${id}`)
      const entries = page('.timeline li')
        .toArray()
        .map((each) => page(each).find('.who strong').text().replace(/\s+/g, ' ').trim())
      expect(entries.filter((entry) => entry === `${manager} Office`)).toHaveLength(2)
      expect(entries.filter((entry) => entry.endsWith(' Office'))).toHaveLength(2)
    }
    const spanish = await house.page('guest', `/incidents/${id}`, { headers: { 'accept-language': 'es' } })
    expect(spanish('.timeline').text()).toContain('Administración')
  })

  it('are marked where a report of theirs is shown, and not when it has no name', async () => {
    const [open, hidden] = [await office.reports(7), await office.reports(7, { isAnonymous: true })]
    await office.answers(hidden, 'without a name')
    expect(await rolesIn('guest', hidden)).toEqual([['without a name', undefined]])
    const list = await house.page('guest', '/incidents')
    const row = (id: number) => list(`li:has(a[href="/incidents/${id}"])`).last().find('.muted .pill').text()
    expect([row(open), row(hidden)]).toEqual(['Office', ''])
    expect((await house.page('guest', `/incidents/${hidden}`))('.timeline').text()).not.toContain('Office')
  })
})

/** The name of the account with this address. */
function nameOf(email: string) {
  return scalar<string>('select name from users where email = $1', [email])
}

/** A resident gives themselves this name. */
function rename(name: string) {
  return house.ask('resident', '/api/account', { method: 'PATCH', json: { name } })
}

/** The same name, written in another way. */
const disguises: ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
  (name) => name.replaceAll(' ', '\u00a0'),
  (name) => name.replaceAll(' ', '   '),
  (name) => name.replaceAll(' ', '\u2003'),
  (name) => name.replaceAll(' ', '\u3000'),
  (name) => name.replaceAll('a', '\uff41').replaceAll('o', '\uff4f'),
  (name) => [...name].join('\u200d'),
]
