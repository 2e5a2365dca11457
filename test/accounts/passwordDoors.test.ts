import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { mintLink } from '../../src/platform/links/emailLinks.js'
import { texts } from '../../src/text/index.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { giveDemoPassword, userIdOf } from '../support/accounts.js'
import type { Asked } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { runJobProcess } from '../support/process.js'
import { inWholeRun, perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()
const { fields } = texts.en
const email = 'george.adeyemi@example.com'
const hashOf = async (address: string) =>
  (
    await query<{ hash: string | null }>('select password_hash as hash from users where email = $1', [
      address,
    ])
  )[0]?.hash

/** Nothing anybody should have: too common, of the building, of the person. */
const hopeless: [string, string][] = [
  ['Password1234!', fields.password_common],
  ['Larkspur Court', fields.password_house],
  ['21 Tidewell Street', fields.password_house],
  [demoPassword, fields.password_house],
  ['george-adeyemi', fields.password_house],
]
const good = 'a quiet rainy afternoon'

type Door = (password: string) => Promise<{ path: string; asked: Asked }>
let counter = 0
const link =
  (page: string, purpose: 'invite' | 'reset'): Door =>
  async (password) => ({
    path: `/api/auth/${page}/${(await mintLink({ purpose, who: { userId: await userIdOf(email) }, data: {} })).token}`,
    asked: { json: { password } },
  })
const doors: Record<string, Door> = {
  'one’s account': async (password) => ({
    path: '/api/account/password',
    asked: {
      json: { currentPassword: demoPassword, password },
      headers: { cookie: await house.signIn(email) },
    },
  }),
  'an invitation': link('invitation', 'invite'),
  'a link for a new password': link('reset-password', 'reset'),
  'an admin who adds somebody': async (password) => ({
    path: '/api/admin/users',
    asked: {
      json: { name: 'George Adeyemi', email: `g${++counter}@example.com`, role: 'resident', password },
    },
  }),
  'an admin who changes somebody': async (password) => ({
    path: `/api/admin/users/${await userIdOf(email)}`,
    asked: { method: 'PATCH', json: { password } },
  }),
}

beforeEach(async () => {
  await query('delete from throttles')
  await giveDemoPassword(await userIdOf(email))
})

describe.each(Object.entries(doors))('at the door of %s', (_name, door) => {
  it.each(hopeless)('%s is refused in plain words, and nothing is changed', async (password, text) => {
    const before = await hashOf(email)
    const { path: where, asked } = await door(password)
    const who = asked.headers || where.includes('/auth/') ? 'guest' : 'admin'
    const answer = await house.ask(who, where, asked)
    expect([answer.status, (await answer.json()).errors]).toEqual([422, { password: [text] }])
    expect(await hashOf(email)).toBe(before)
  })

  it('a few words are taken', async () => {
    const { path: where, asked } = await door(good)
    const who = asked.headers || where.includes('/auth/') ? 'guest' : 'admin'
    expect((await house.ask(who, where, asked)).ok).toBe(true)
  })
})

inWholeRun(() => {
  describe('at the command line', () => {
    it('the first admin’s password is looked at as well, and advice given', async () => {
      const folder = newFolder()
      const env = { ...keys, DATABASE_URL: house.url(), DATA_DIR: folder }
      const make = (password: string) =>
        runJobProcess(
          'admin',
          env,
          '--email',
          'olu@example.com',
          '--name',
          'Olu Owner',
          '--password',
          password,
        )
      try {
        const passwords = ['Password1234!', 'Larkspur Court', 'olu-owner-olu-1', 'short']
        for (const password of perRun({ quick: ['olu-owner-olu-1'], whole: passwords }))
          await expect(make(password), password).rejects.toThrow(
            /Choose another password of 12 to 200 characters/,
          )
        expect(await hashOf('olu@example.com')).toBeUndefined()
        expect(await make(good)).toMatchObject({ email: 'olu@example.com', role: 'admin' })
      } finally {
      }
    })
  })
})

describe('the list of those who may come in', () => {
  it('brings no passwords, whatever columns it has', async () => {
    const csv = 'name,email,password\nNora New,nora.new@example.com,Password1234!'
    const answer = await house.ask('admin', '/api/admin/import/residents', { json: { csv } })
    expect(answer.status).toBeLessThan(500)
    expect((await hashOf('nora.new@example.com')) ?? null).toBeNull()
  })

  it('knows an account by any spelling that the database takes for its address', async () => {
    const csv = 'name,email\nMaya Okafor,RESİDENT@example.com'
    const answer = await house.ask('admin', '/api/admin/import/residents', { json: { csv } })
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ created: 0, unchanged: 1 }),
    ])
    const twice = { csv: 'name,email\nOne New,lift@example.com\nTwo New,LİFT@example.com' }
    expect((await house.ask('admin', '/api/admin/import/residents', { json: twice })).status).toBe(422)
  })
})
