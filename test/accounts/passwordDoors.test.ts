import { beforeEach, describe, expect, it } from 'vitest'
import { mintLink } from '../../src/platform/links/emailLinks.js'
import { texts } from '../../src/text/index.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { giveDemoPassword, userIdOf } from '../support/accounts.js'
import type { Asked, Asker } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { ownPassword } from '../support/house/newcomer.js'
import { keys } from '../support/keys.js'
import { runJobProcess } from '../support/process.js'
import { column } from '../support/rows.js'
import { inWholeRun, perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()
const email = 'george.adeyemi@example.com'
let newcomers = 0

beforeEach(async () => {
  await forgetCounts()
  await giveDemoPassword(await userIdOf(email))
})

describe.each(Object.entries(doorsByName()))('at the door of %s', (_name, door) => {
  it.each(hopelessPasswords())(
    '%s is refused in plain words, and nothing is changed',
    async (password, text) => {
      const before = await hashOf(email)
      const { who, path, asked } = await door(password)
      const answer = await house.ask(who, path, asked)
      expect([answer.status, (await answer.json()).errors]).toEqual([422, { password: [text] }])
      expect(await hashOf(email)).toBe(before)
    },
  )

  it('a few words are taken', async () => {
    const { who, path, asked } = await door(ownPassword)
    expect((await house.ask(who, path, asked)).ok).toBe(true)
  })
})

inWholeRun(() => {
  describe('at the command line', () => {
    it('the first admin’s password is looked at as well, and advice given', async () => {
      const folder = newFolder()
      const env = { ...keys, DATABASE_URL: house.url(), DATA_DIR: folder }
      const named = ['--email', 'olu@example.com', '--name', 'Olu Owner']
      const make = (password: string) => runJobProcess('admin', env, ...named, '--password', password)
      const passwords = ['Password1234!', 'Larkspur Court', 'olu-owner-olu-1', 'short']
      for (const password of perRun({ quick: ['olu-owner-olu-1'], whole: passwords }))
        await expect(make(password), password).rejects.toThrow(
          /Choose another password of 12 to 200 characters/,
        )
      expect(await hashOf('olu@example.com')).toBeUndefined()
      expect(await make(ownPassword)).toMatchObject({ email: 'olu@example.com', role: 'admin' })
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

/** What is stored of someone's password; undefined where there is no account. */
async function hashOf(address: string): Promise<string | null | undefined> {
  return (await column<string | null>('select password_hash from users where email = $1', [address]))[0]
}

/** Where a password is chosen: the request that chooses this one there. */
type Door = (password: string) => Promise<{ who: Asker; path: string; asked: Asked }>

function link(page: string, purpose: 'invite' | 'reset'): Door {
  return async (password) => {
    const { token } = await mintLink({ purpose, who: { userId: await userIdOf(email) }, data: {} })
    return { who: 'guest', path: `/api/auth/${page}/${token}`, asked: { json: { password } } }
  }
}

/** Nothing anyone should have: too common, of the building, of the person. */
function hopelessPasswords(): [password: string, refusal: string][] {
  const { fields } = texts.en
  return [
    ['Password1234!', fields.password_common],
    ['Larkspur Court', fields.password_house],
    ['21 Tidewell Street', fields.password_house],
    [demoPassword, fields.password_house],
    ['george-adeyemi', fields.password_house],
  ]
}

function doorsByName(): Record<string, Door> {
  return {
    'one’s account': async (password) => ({
      who: { cookie: await house.signIn(email) },
      path: '/api/account/password',
      asked: { json: { currentPassword: demoPassword, password } },
    }),
    'an invitation': link('invitation', 'invite'),
    'a link for a new password': link('reset-password', 'reset'),
    'an admin who adds somebody': async (password) => ({
      who: 'admin',
      path: '/api/admin/users',
      asked: {
        json: {
          name: 'George Adeyemi',
          email: `george${++newcomers}@example.com`,
          role: 'resident',
          password,
        },
      },
    }),
    'an admin who changes somebody': async (password) => ({
      who: 'admin',
      path: `/api/admin/users/${await userIdOf(email)}`,
      asked: { method: 'PATCH', json: { password } },
    }),
  }
}
