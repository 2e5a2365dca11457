import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { load } from 'cheerio'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { log } from '../../../src/platform/process/log.js'
import { texts } from '../../../src/text/index.js'
import { linkPurposes } from '../../../src/vocabulary/email/linkPurposes.js'
import { checkout } from '../../support/compiled.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { browserOf, letLinksAge } from '../../support/links/guestBrowser.js'
import { type Browser, type Kind, type Made, signedLinks } from '../../support/links/signedLinks.js'
import { endpoints } from '../../support/routes/endpoints.js'
import { perRun } from '../../support/run/extent.js'

const house = useHouse()
const kinds = Object.entries(signedLinks)
const json = { headers: { accept: 'application/json' } }
/** Sign-ins and links are counted; here they are many. */
config.throttles.signIn = 0

beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
})

describe.each(perRun({ quick: { every: 3 }, whole: kinds }))('a %s', (name, kind) => {
  it('changes nothing by being opened, by a scanner or by anybody', async () => {
    const made = await kind.make(house)
    const api = kind.routes.find((route) => route.startsWith('/api/'))?.replace(':token', tokenIn(made.path))
    const opened = async (browser: Browser) => {
      for (const address of [made.path, ...(api ? [api] : [])])
        for (const asked of [{}, json, { method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }]) {
          const answer = await browser.ask(address, asked)
          const works = browser === made.browser || kind.elsewhere === 'works'
          // What is a page alone has nothing to say as JSON.
          expect
            .soft([200, 204].includes(answer.status) ? 200 : answer.status, address)
            .toBe(works ? 200 : 403)
          expectUnseen(answer, address)
        }
    }
    expect(await changes(() => opened(made.browser))).toBe(false)
    expect(await changes(() => opened(browserOf(house)))).toBe(false)
    await expectWorks(made.browser, made, kind, name)
  })

  it(`${kind.elsewhere === 'works' ? 'works' : 'says where to open it'} on another device`, async () => {
    const made = await kind.make(house)
    const other = browserOf(house)
    if (kind.elsewhere === 'works') return expectWorks(other, made, kind, name)
    const before = await stored()
    const said = await (await press(other, made.path, kind)).text()
    expect(load(said)('main').text()).toContain(texts.en.problems.sign_in_link_elsewhere.title)
    expect(await stored()).toBe(before)
    await expectWorks(made.browser, made, kind, name)
  })

  it(kind.lives ? `works for ${kind.lives} and no longer` : 'works for ever', async () => {
    const [early, late] = [await kind.make(house), await kind.make(house)]
    const lives = kind.lives ? secondsOf(kind.lives) : 20 * 365 * 86_400
    await letLinksAge(lives - 60)
    await expectWorks(early.browser, early, kind, `a minute before ${kind.lives}`)
    if (!kind.lives) return
    await letLinksAge(61)
    await expectOver(late, kind, tokenIn(late.path), `a second after ${kind.lives}`)
  })

  it('used twice does no more than once', async () => {
    const made = await kind.make(house)
    await press(made.browser, made.path, kind)
    let again: Response | undefined
    expect(
      await changes(async () => {
        again = await press(made.browser, made.path, kind)
      }),
    ).toBe(false)
    expect(again!.status).toBe(kind.again)
    expectUnseen(again!, name)
  })

  it('is refused with any sign of it changed', async () => {
    const made = await kind.make(house)
    const token = tokenIn(made.path)
    const other = (sign: string) => (sign === 'A' ? 'B' : 'A')
    const changed = Array.from(token, (sign, i) => token.slice(0, i) + other(sign) + token.slice(i + 1))
    const neighbour = String.fromCharCode(token.charCodeAt(token.length - 1) ^ 1)
    const dot = token.indexOf('.')
    const more = [
      token.slice(0, -1),
      `${token}A`,
      `${token}.A`,
      `${token}=`,
      `-${token}`,
      token.toUpperCase(),
    ]
    // The last sign before the dot carries bits that decode to nothing.
    const last =
      dot < 0
        ? []
        : [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((s) => token.slice(0, dot - 1) + s + token.slice(dot))
    const signs = perRun({ quick: changed.filter((_, i) => i % 9 === 0), whole: changed })
    const all = [...signs, token.slice(0, -1) + neighbour, ...more, ...last].filter((each) => each !== token)
    const before = await stored()
    for (const each of all)
      expect.soft((await made.browser.ask(withToken(made, each))).status, each).toBe(404)
    expect(await stored()).toBe(before)
    await expectOver(made, kind, changed.at(-1)!, 'the last sign changed')
    await expectWorks(made.browser, made, kind, name)
  })

  it('says nothing to whoever reads its address, for emails are forwarded', async () => {
    const { path: address } = await kind.make(house)
    for (const part of tokenIn(address).split('.'))
      expect(Buffer.from(part, 'base64url').toString('latin1')).not.toMatch(/^[\x20-\x7e]+$/)
  })

  it('is not opened by the token of any other', async () => {
    const made = await kind.make(house)
    for (const [otherName, other] of perRun({
      quick: { every: 4 },
      whole: kinds.filter(([each]) => each !== name),
    })) {
      const { path: foreign } = await other.make(house)
      await expectOver(made, kind, tokenIn(foreign), `the token of a ${otherName}`)
    }
  })

  it('works on when SESSION_SECRET is another', async () => {
    const made = await kind.make(house)
    const before = config.sessionSecret
    config.sessionSecret = 'another secret, of the same length or so'
    await expectWorks(made.browser, made, kind, 'another secret').finally(() => {
      config.sessionSecret = before
    })
  })

  it.each(['disabled', 'erased'] as const)('once its person is %s', async (what) => {
    const made = await kind.make(house)
    const found = await query<{ id: number }>('select id from users where email = $1', [made.email])
    const id = found[0]?.id ?? (await accountOf(made))
    if (what === 'erased') await house.ask('admin', `/api/admin/users/${id}/erase`, { json: {} })
    else await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { active: false } })
    if (kind[what] === 'works') await expectWorks(made.browser, made, kind, what)
    else await expectOver(made, kind, tokenIn(made.path), what)
  })

  it('is in no line of the log, and in no row', async () => {
    config.accessLog = true
    const said: unknown[] = []
    const spies = (['info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void said.push(line)),
    )
    const made = await kind.make(house)
    const token = tokenIn(made.path)
    await answersTo(made.browser, made, kind, `${token}x`)
    await answersTo(made.browser, made, kind, token)
    await answersTo(browserOf(house), made, kind, token)
    for (const spy of spies) spy.mockRestore()
    expect(said.length).toBeGreaterThan(5)
    for (const part of token.split('.')) expect(JSON.stringify(said)).not.toContain(part)
    for (const { name: table } of await tables())
      expect(await query(`select from ${table} t where strpos(t::text, $1) > 0`, [token]), table).toEqual([])
  })
})

describe('the list of links', () => {
  const routes = kinds.flatMap(([, kind]) => kind.routes)
  const sources = readdirSync(path.join(checkout, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, code: readFileSync(path.join(checkout, 'src', file), 'utf8') }))
  const found = (pattern: RegExp) =>
    sources.flatMap(({ code }) => [...code.matchAll(pattern)].map(([, what]) => what!))

  it('has every address that takes a token', () => {
    const taking = endpoints
      .map((each) => each.path)
      .filter((each) => /:(token|secret|code|key|ticket)/i.test(each))
    expect([...new Set(taking)].sort()).toEqual(routes.toSorted())
  })

  it('has every purpose of the table, and there is no other table of tokens and no other seal', () => {
    const pages = Object.values(linkPurposes).map(({ page }) => `${page}/:token`)
    expect(routes).toEqual(expect.arrayContaining(pages))
    expect(kinds).toHaveLength(pages.length)
    const schema = readFileSync(path.join(checkout, 'migrations/schema.sql'), 'utf8')
    const inTables = [...schema.matchAll(/create table (\w+) \(([^;]*)\);/gi)]
      .filter(([, , columns]) => /\btoken_hash\b/.test(columns!))
      .map(([, table]) => table!)
    // The others are empty: version 1.0.0 deletes from them.
    expect(inTables.sort()).toEqual(['account_tokens', 'email_links', 'mail_confirmations'])
    // The name of what was deleted, for a notice, is no link: it opens nothing.
    const sealed = found(/(?<!function )\bsealing\('?([^')]*)/g).filter((purpose) => purpose !== 'deleted')
    expect(sealed).toEqual([])
  })

  /** What else is signed with a key of ours, and why it is no link. */
  const signedOtherwise: Record<string, string> = {
    'platform/process/sealing.ts': 'seals the name of what was deleted, for a notice',
    'platform/links/emailLinks.ts': 'draws the tokens of the links above',
    'platform/links/linkCodes.ts':
      'the codes beside them, which open nothing without the cookie of the browser that asked',
    'platform/http/session/csrf.ts': 'hidden fields, worth nothing without their cookie or session',
    'platform/http/session/sessionCookie.ts': 'the cookie of a session, whose id is random and stored hashed',
    'accounts/singleSignOn/providerAttempt.ts': 'the state of a sign-in, worth nothing without its cookie',
    'accounts/singleSignOn/linkConfirmation.ts': 'a hidden field, worth nothing without its session',
    'vocabulary/email/assignmentTag.ts':
      'subjects: a tag lets a reply become a staff note, and opens nothing',
    'vocabulary/email/messageName.ts': 'message ids: they say which mail is answered, and open nothing',
    'platform/http/protection/clientNetwork.ts': 'the network that asked for an email, which opens nothing',
    'platform/push/webPush.ts': 'topics of push messages',
    'webhooks/sending/sendDelivery.ts': 'signatures of webhooks, with the key of the subscription',
    'operations/buildings/createBuilding.ts': 'the password of a database role',
  }

  it('has every other signature, with the reason why it is none', () => {
    const signing = sources.filter(({ code }) => /\bcreateHmac\(/.test(code)).map(({ file }) => file)
    expect(signing.sort()).toEqual(Object.keys(signedOtherwise).sort())
  })

  it('is the one in docs/security/overview.md, with how long each works', () => {
    const rows = readFileSync(path.join(checkout, 'docs/security/overview.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| link '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(rows.map(([, name]) => name)).toEqual(kinds.map(([name]) => name))
    for (const [, name, , lives] of rows)
      expect(lives, name).toMatch(new RegExp(`^${signedLinks[name!]!.lives ?? 'for ever'}(,|$)`))
  })
})

function tokenIn(address: string) {
  return address.split('/').at(-1)!
}

function withToken({ path: address }: Made, token: string) {
  return address.slice(0, -tokenIn(address).length) + token
}

function press(browser: Browser, address: string, { press: form }: Kind) {
  return browser.ask(address, { form })
}

/** The same, and what a late press is led to: its own address says that it is over. */
async function pressed(browser: Browser, address: string, kind: Kind): Promise<Response> {
  const answer = await press(browser, address, kind)
  return answer.headers.get('location') === address ? browser.ask(address) : answer
}

function tables() {
  return query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege(oid, 'SELECT') and relname <> 'throttles' order by 1`,
  )
}

/** The database as it stands, but for the counts of wrong guesses. */
async function stored(): Promise<string> {
  const all = (await tables()).map(
    ({ name }) =>
      `select '${name}' as name, count(*) as n, sum(hashtextextended(t::text, 0)) as h from ${name} t`,
  )
  return JSON.stringify(await query(all.join(' union all ')))
}

async function changes(act: () => Promise<unknown>): Promise<boolean> {
  const before = await stored()
  await act()
  return (await stored()) !== before
}

/** Every way to ask for it: as a page and as JSON, by reading and by pressing. */
async function answersTo(browser: Browser, made: Made, kind: Kind, token: string) {
  const address = withToken(made, token)
  const api = kind.routes.find((route) => route.startsWith('/api/'))?.replace(':token', token)
  return [
    await browser.ask(address),
    await browser.ask(address, json),
    await browser.ask(address, { method: 'HEAD' }),
    await pressed(browser, address, kind),
    ...(api ? [await browser.ask(api, json), await browser.ask(api, { ...json, json: kind.press })] : []),
  ]
}

/** It opens nothing, changes nothing, and says what to do: as a page and as JSON. */
async function expectOver(made: Made, kind: Kind, token: string, why: string): Promise<void> {
  const before = await stored()
  const answers = await answersTo(made.browser, made, kind, token)
  const { title, detail } = texts.en.problems[kind.over as keyof typeof texts.en.problems] as {
    title: string
    detail: string
  }
  for (const answer of answers) {
    expect.soft(answer.status, why).toBe(404)
    expectUnseen(answer, why)
    const text = await answer.text()
    if (text === '') continue
    if (answer.headers.get('content-type')!.includes('json')) {
      expect.soft(JSON.parse(text), why).toMatchObject({ status: 404, code: kind.over, title, detail })
      continue
    }
    const page = load(text)
    expect.soft(page('main').text(), why).toContain(title)
    expect.soft(page('main').text(), why).toContain(detail)
    const { offers } = kind
    const ways = page(
      `main a[href="${offers}"], main form[action="${offers}"], main button[formaction="${offers}"]`,
    )
    expect.soft(ways.length, `${why}: a way to ${kind.offers}`).toBe(1)
  }
  expect.soft((await stored()) === before, `${why}: changed something`).toBe(true)
}

/** No cache keeps the page, and no link from it sends its address on. */
function expectUnseen(answer: Response, why: string): void {
  expect.soft(answer.headers.get('cache-control'), why).toMatch(/no-store/)
  expect.soft(answer.headers.get('referrer-policy'), why).toBe('no-referrer')
}

/** It opens, and its form does what it is for. */
async function expectWorks(browser: Browser, made: Made, kind: Kind, why: string): Promise<void> {
  expect((await browser.ask(made.path)).status, why).toBe(200)
  let pressed: Response | undefined
  const changed = await changes(async () => {
    pressed = await press(browser, made.path, kind)
  })
  expect([pressed!.status < 400, changed], why).toEqual([true, true])
}

/** The account of an address that has had none. */
async function accountOf({ email }: Made): Promise<number> {
  const json = { name: 'Nils Berg', email, role: 'resident' }
  return (await house.json('admin', '/api/admin/users', { json })).id
}

/** The seconds of `7 days` or `1 hour`. */
function secondsOf(duration: string): number {
  const [count, unit = ''] = duration.split(' ')
  const seconds: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400 }
  return Number(count) * seconds[unit.replace(/s$/, '')]!
}
