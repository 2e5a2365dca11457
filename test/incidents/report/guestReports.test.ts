import { type CheerioAPI, load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '../../../src/app/tidy.js'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { texts } from '../../../src/text/index.js'
import { bounds } from '../../../src/vocabulary/limits.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts, setCountOf } from '../../support/house/limits.js'
import { browserOf, hiddenIn, linksTo } from '../../support/links/guestBrowser.js'
import { multipart, picture } from '../../support/pictures.js'

const house = useHouse()
const email = 'resident@example.com'

let browser: Browser
beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
  await query('delete from guest_reports')
  await query('delete from staged_photos')
  browser = browserOf(house)
})

describe('a guest who scans a sticker', () => {
  it('gets the report form, with what is known and who to call, without signing in', async () => {
    const { id } = await house.json('mobile', '/api/incidents', {
      json: { assetId: 1, title: 'Known already', severity: 'medium' },
    })
    const { at, page } = await browser.follow(await browser.ask('/r/1'))
    expect(at).toBe('/report?assetId=1')
    expect(page('#known h2').first().text()).toContain('lift')
    expect(page('#known').text()).toContain('Known already')
    expect(page(`#known a[href^="/follow?incidentId=${id}"]`)).toHaveLength(1)
    expect(page('.emergency a[href^="tel:"]').length).toBeGreaterThan(0)
    expect(page(`${form} #title`).length).toBe(1)
    expect(page('button[formaction="/report/suggest"]').length).toBe(0)
  })

  it('is told at once what is wrong with the form, and keeps words and photos', async () => {
    const { answer } = await fillInAndSend('', 2)
    expect(answer.status).toBe(422)
    const page = load(await answer.text())
    expect(page('.errors a').attr('href')).toBe('#title')
    expect(page('input[name=stagedPhotos]').length).toBe(2)
    const thumbnail = await browser.ask(page('.photos img').attr('src')!)
    expect(thumbnail.status).toBe(200)
    expect((await browserOf(house).ask(page('.photos img').attr('src')!)).status).toBe(404)
    expect(await kept()).toEqual([])
  })

  it('sees the photos in the order of the form, whatever is wrong with it the next time', async () => {
    const { answer, fields } = await fillInAndSend('', 3)
    const first = idsOfPhotos(load(await answer.text()))
    expect(new Set(first).size).toBe(3)
    for (const order of [first, first.toReversed()]) {
      const form = [...Object.entries(fields), ...order.map((id): [string, string] => ['stagedPhotos', id])]
      const again = await browser.ask('/report', { body: new URLSearchParams(form) })
      expect(again.status).toBe(422)
      expect(idsOfPhotos(load(await again.text()))).toEqual(order)
    }
  })
})

it('photos staged as a guest are sent by the form that names them after a sign-in in another tab, and only in that browser', async () => {
  const { answer } = await fillInAndSend('', 2)
  const refused = load(await answer.text())
  const ids = refused('input[name=stagedPhotos]').map((_, input) => refused(input).attr('value')!)
  const json = { assetId: 1, title: 'Another tab', severity: 'low', stagedPhotos: ids.get() }
  for (const [of, photos] of [
    [browserOf(house), 0],
    [browser, 2],
  ] as const) {
    await of.ask('/sign-in', { form: { email, password: demoPassword } })
    await of.ask('/api/incidents', { json, headers: { accept: 'application/json' } })
    expect((await titled('Another tab')).map((each) => each.photos)).toContain(photos)
  }
  expect(await staged()).toEqual([])
})

describe('a report of a guest', () => {
  it('is sent with its photos by a sign-in with the password, once however often that is pressed', async () => {
    const { page } = await sentUpTo('By password', 2)
    expect(await titled('By password')).toEqual([])
    const signIn = { ...hiddenIn(page, 'form[action="/sign-in"]'), email, password: demoPassword }
    for (let press = 1; press <= 2; press++) {
      const answer = await browser.ask('/sign-in', { form: signIn })
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringMatching(/^\/incidents\/\d+\?notice=reported$/),
      ])
    }
    expect(await titled('By password')).toEqual([{ id: expect.any(Number), reporter: email, photos: 2 }])
    expect(await staged()).toEqual([])
  })

  it('is sent by a mailed link, once, also when the link is opened and pressed again, and the form sent again', async () => {
    const { link, fields } = await linkFor('By link', 1)
    for (let open = 1; open <= 2; open++) {
      const page = await browser.page(link)
      expect(page('main').text()).toContain('Maya Okafor')
    }
    expect(await titled('By link')).toEqual([])
    const first = await browser.ask(link, { form: {} })
    const [made] = await titled('By link')
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      `/incidents/${made!.id}?notice=reported`,
    ])
    const second = await browser.follow(await browser.ask(link, { form: {} }))
    expect(second.at).toBe(link)
    expect((await browser.ask(link)).headers.get('location')).toBe(`/incidents/${made!.id}?notice=reported`)
    const again = await browser.ask('/report', { body: multipart(fields, [{ bytes: await picture() }]) })
    expect(again.status).toBe(303)
    expect(await titled('By link')).toEqual([{ id: made!.id, reporter: email, photos: 1 }])
  })

  it('is one when link and form are pressed many times at once', async () => {
    const { fields } = await fillInAndSend('At once')
    const [first] = await Promise.all(
      Array.from({ length: 4 }, () => browser.ask('/report', { body: multipart(fields) })),
    )
    expect(await kept()).toHaveLength(1)
    const typed = new URL(first!.headers.get('location')!, 'http://x').searchParams.get('typed')!
    await browser.ask('/sign-in/link', { form: { email, typed } })
    const [link] = await linksTo('/sign-in/link')
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.ask(link!.path, { form: {} })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(await titled('At once')).toHaveLength(1)
  })

  it('is not lost on the way to a new password or to another link', async () => {
    const { page } = await sentUpTo('Password forgotten')
    const forgot = await browser.page(page('a[href^="/forgot-password"]').attr('href')!)
    const fields = hiddenIn(forgot, 'form[action="/forgot-password"]')
    const asked = await browser.follow(await browser.ask('/forgot-password', { form: { ...fields, email } }))
    expect(asked.at).toMatch(/^\/sign-in\?typed=report%3A/)
    const mistyped = { next: '/contacts', email: 'mistyped@example.com' }
    const link = await browser.ask('/sign-in/link', {
      form: { ...hiddenIn(asked.page, 'form[action="/sign-in"]'), ...mistyped },
    })
    const sent = await browser.page(link.headers.get('location')!)
    const again = await browser.page(sent('a[href^="/sign-in?"]').attr('href')!)
    const signIn = { ...hiddenIn(again, 'form[action="/sign-in"]'), email, password: demoPassword }
    expect(signIn).toMatchObject({ next: '/contacts', typed: expect.stringMatching(/^report:/) })
    await browser.ask('/sign-in', { form: signIn })
    expect(await titled('Password forgotten')).toHaveLength(1)
  })

  it('waits for another hour when a link is asked for, whoever has the address', async () => {
    for (const address of [email, 'nobody@outside.test']) {
      const { page } = await sentUpTo(`For ${address}`)
      await ageGuestReports('50 minutes')
      const asked = { ...hiddenIn(page, 'form[action="/sign-in"]'), email: address }
      await browser.ask('/sign-in/link', { form: asked })
      const young = await query(`select from guest_reports where kept_at > now() - interval '5 minutes'`)
      expect([address, young.length]).toEqual([address, 1])
    }
  })

  it('is asked for an account before it is typed, with the number of the office', async () => {
    const intro = async () => (await browser.page('/report'))('main').text().replace(/\s+/g, ' ')
    const patch = (json: object) => house.json('admin', '/api/admin/property', { method: 'PATCH', json })
    expect(await intro()).toContain('You need an account to send one.')
    expect(await intro()).toContain('No account? Call the building office: 020 7946 0120')
    await patch({ officePhone: '' })
    expect(await intro()).toContain('No account? Ask the building office.')
    await patch({ officePhone: '020 7946 0120', signUp: 'anybody' })
    expect(await intro()).toContain('You can create one at the end')
    expect(await intro()).not.toContain('No account?')
    await patch({ signUp: 'office' })
    expect((await house.page('resident', '/report'))('main').text()).not.toContain('You need an account')
  })

  it.each(['/sign-in', '/sign-in/link'])('is not said to be kept once it is not: %s', async (path) => {
    const words = 'We’ll keep it until'
    const { page } = await sentUpTo('Too late')
    const fields = {
      ...hiddenIn(page, 'form[action="/sign-in"]'),
      email: path === '/sign-in' ? email : '',
      password: 'wrong',
    }
    expect(await (await browser.ask(path, { form: fields })).text()).toContain(words)
    await ageGuestReports('2 hours')
    expect(await (await browser.ask(path, { form: fields })).text()).not.toContain(words)
  })

  it('keeps two of one browser apart', async () => {
    const { link: first } = await linkFor('The first')
    const { link: second } = await linkFor('The second')
    await browser.ask(second, { form: {} })
    expect([await titled('The first'), await titled('The second')]).toEqual([[], [expect.anything()]])
    await browser.ask(first, { form: {} })
    expect(await titled('The first')).toHaveLength(1)
  })

  it('is not sent by a sign-in that does not carry it, in another browser, or after an hour', async () => {
    const { page } = await sentUpTo('Nobody sends it', 1)
    const { typed } = hiddenIn(page, 'form[action="/sign-in"]') as { typed: string }
    const password = demoPassword
    expect((await browser.ask('/sign-in', { form: { email, password } })).headers.get('location')).toBe('/')
    const other = browserOf(house)
    expect((await other.page(`/sign-in?typed=${typed}`))('main').text()).not.toContain('is kept')
    expect((await other.ask('/sign-in', { form: { email, password, typed } })).headers.get('location')).toBe(
      gone,
    )
    await ageGuestReports('61 minutes')
    const late = browserOf(house)
    await late.ask('/sign-in', { form: { email, password, typed } })
    expect(
      (await browser.ask('/sign-in', { form: { email, password, typed } })).headers.get('location'),
    ).toBe(gone)
    const notice = (await browser.page(gone))('.notice').text()
    expect(notice).toContain('Your report wasn’t sent')
    expect(await titled('Nobody sends it')).toEqual([])
  })

  it('belongs to who sent it first', async () => {
    const { page } = await sentUpTo('Whose is it')
    const { typed } = hiddenIn(page, 'form[action="/sign-in"]') as { typed: string }
    await browser.ask('/sign-in', { form: { email, password: demoPassword, typed } })
    const other = await browser.ask('/sign-in', {
      form: { email: 'board@example.com', password: demoPassword, typed },
    })
    expect(other.headers.get('location')).toBe(gone)
    expect(await titled('Whose is it')).toEqual([expect.objectContaining({ reporter: email })])
  })

  it('is shown again as it was typed when its asset is gone meanwhile', async () => {
    const { page } = await sentUpTo('Gone meanwhile', 1)
    await house.json('manager', '/api/admin/assets/1/archive', { json: {} })
    try {
      const signIn = { ...hiddenIn(page, 'form[action="/sign-in"]'), email, password: demoPassword }
      const answer = await browser.ask('/sign-in', { form: signIn })
      expect(answer.status).toBe(422)
      const again = load(await answer.text())
      expect(again('#assetId-error').text()).not.toBe('')
      expect(again('#title').attr('value')).toBe('Gone meanwhile')
      expect(again('input[name=stagedPhotos]').length).toBe(1)
      expect(again('.notice').text()).toContain('press the button to send it')
    } finally {
      await house.json('manager', '/api/admin/assets/1/unarchive', { json: {} })
    }
  })

  it('is a report of its own when its words were changed after it was sent', async () => {
    const { page, fields } = await sentUpTo('As sent')
    const signIn = { ...hiddenIn(page, 'form[action="/sign-in"]'), email, password: demoPassword }
    await browser.ask('/sign-in', { form: signIn })
    const changed = { ...fields, title: 'Changed since', writer: '' }
    await browser.ask('/sign-out', { form: {} })
    const back = await browser.ask('/report', { body: multipart(changed, []) })
    const { page: again } = await browser.follow(back)
    await browser.ask('/sign-in', {
      form: { ...hiddenIn(again, 'form[action="/sign-in"]'), email, password: demoPassword },
    })
    expect([await titled('As sent'), await titled('Changed since')]).toEqual([
      [expect.objectContaining({ reporter: email })],
      [expect.objectContaining({ reporter: email })],
    ])
  })

  it('keeps nothing secret that came along, and JSON gets its 401', async () => {
    await fillInAndSend('With a secret', 0, browser, {
      password: 'Canary-password',
      againPassword: 'Canary-again',
    })
    expect(JSON.stringify(await kept())).not.toContain('Canary')
    const json = { assetId: 1, title: 'x', severity: 'low' }
    for (const path of ['/report', '/api/incidents', '/incidents'])
      expect((await house.ask('guest', path, { json, headers: { accept: 'application/json' } })).status).toBe(
        401,
      )
  })
})

/** The title in the form that this sign-in page carries; undefined when it carries none. */
async function carriedBy(answer: Response): Promise<string | undefined> {
  expect(answer.status).toBe(401)
  const { typed } = hiddenIn(load(await answer.text()), 'form[action="/sign-in"]')
  return typed === undefined ? undefined : JSON.parse(typed).fields.title
}

describe('what guests may fill', () => {
  it('ends after an hour: the tidy takes reports and photos', async () => {
    await sentUpTo('Left alone', 1)
    await ageGuestReports('2 hours')
    await query(`update staged_photos set created_at = now() - interval '3 hours'`)
    const removed = await tidy(config.uploadDir)
    expect(removed).toMatchObject({ guestReports: 1, stagedPhotos: 1 })
    expect([await kept(), await staged()]).toEqual([[], []])
  })

  it('is bounded for one network, one browser and in all; then the sign-in page carries the text', async () => {
    await sentUpTo('One')
    await setCountOf('guest-reports', '127.0.0.1', 1_000_000)
    const { answer: over } = await fillInAndSend('Two')
    expect(await carriedBy(over)).toBe('Two')
    await forgetCounts()
    await setCountOf('guest-photos', '127.0.0.1', 1_000_000)
    const { answer: photos } = await fillInAndSend('Three', 1, browserOf(house))
    expect(await carriedBy(photos)).toBe('Three')
    await setCountOf('resume', '127.0.0.1', 1_000_000)
    expect(await carriedBy((await fillInAndSend('Four', 1, browserOf(house))).answer)).toBe('Four')
    expect(await kept()).toHaveLength(1)
    await forgetCounts()
    await fillGuestReports('(select browser_hash from guest_reports)', bounds.guestReports)
    const { answer } = await fillInAndSend('Too many here')
    expect(await carriedBy(answer)).toBe('Too many here')
    await fillGuestReports('sha256(n::text::bytea)', bounds.guestReportsInAll)
    expect(await carriedBy((await fillInAndSend('Too many', 0, browserOf(house))).answer)).toBe('Too many')
  })

  it('is filled in again after the sign-in where it was carried, and sent by one press', async () => {
    await setCountOf('guest-reports', '127.0.0.1', 1_000_000)
    const { answer } = await fillInAndSend('Carried', 1)
    const signIn = load(await answer.text())
    const fields = { ...hiddenIn(signIn, 'form[action="/sign-in"]'), email, password: demoPassword }
    const page = load(await (await browser.ask('/sign-in', { form: fields })).text())
    expect(page(`${form} #title`).attr('value')).toBe('Carried')
    expect(page('.notice').text()).toContain(texts.en.notices.resumedWithoutPhotos)
    const again = { ...hiddenIn(page, form), assetId: '1', title: 'Carried', severity: 'low' }
    expect((await browser.ask('/report', { body: multipart(again, []) })).status).toBe(303)
    expect(await titled('Carried')).toMatchObject([{ reporter: email }])
  })

  it('counts reports, and not the tries that were refused', async () => {
    for (let i = 0; i < 3; i++) expect((await fillInAndSend('')).answer.status).toBe(422)
    expect(await query(`select from throttles where key like 'guest-reports:%'`)).toEqual([])
  })

  it('keeps no photo when all of them together are too many', async () => {
    await sentUpTo('Room', 1)
    await query('update staged_photos set bytes = $1', [bounds.guestPhotoBytes])
    const { answer } = await fillInAndSend('No room', 1, browserOf(house))
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('No room')
    expect(await staged()).toHaveLength(1)
    expect((await fillInAndSend('Words alone', 0, browserOf(house))).answer.status).toBe(303)
  })
})

type Browser = ReturnType<typeof browserOf>

const titled = (title: string) =>
  query<{ id: number; reporter: string; photos: number }>(
    `select i.id, u.email as reporter, (select count(*) from photos p where p.incident_id = i.id)::integer as photos
     from incidents i join users u on u.id = i.reporter_id where i.title = $1`,
    [title],
  )
const kept = () => query<{ id: string; fields: object }>('select id, fields from guest_reports')
const staged = () => query('select from staged_photos')

/** The ids of the photos that a form carries, in its order. */
function idsOfPhotos(page: CheerioAPI): string[] {
  const inputs = page('input[name=stagedPhotos]').toArray()
  return inputs.map((input) => page(input).attr('value')!)
}

/** Fills in the form as a guest and sends it. */
async function fillInAndSend(
  title: string,
  photos = 0,
  of: Browser = browser,
  more: Record<string, string> = {},
) {
  const page = await of.page('/report?assetId=1')
  const bytes = await picture()
  const files = Array.from({ length: photos }, () => ({ bytes }))
  const fields = { ...hiddenIn(page, form), assetId: '1', title, severity: 'low', ...more }
  return { fields, answer: await of.ask('/report', { body: multipart(fields, files) }) }
}

/** The same up to the page that asks who they are. */
async function sentUpTo(title: string, photos = 0, of: Browser = browser) {
  const { answer, fields } = await fillInAndSend(title, photos, of)
  expect(answer.status).toBe(303)
  const { at, page } = await of.follow(answer)
  expect(at).toMatch(/^\/sign-in\?typed=report:/)
  return { page, fields }
}

/** The link of the email by which a guest who sent a report signs in. */
async function linkFor(title: string, photos = 0, of: Browser = browser) {
  const { page, fields } = await sentUpTo(title, photos, of)
  const asked = await of.ask('/sign-in/link', {
    form: { ...hiddenIn(page, 'form[action="/sign-in"]'), email },
  })
  expect([asked.status, asked.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/sign-in\/link-sent\?typed=report%3A/),
  ])
  const [link] = await linksTo('/sign-in/link')
  return { link: link!.path, fields }
}

/** What guests sent was sent so long ago, such as `2 hours`. */
async function ageGuestReports(interval: string): Promise<void> {
  await query('update guest_reports set kept_at = now() - $1::interval', [interval])
}

/** Stores so many reports of guests; `browser`: an SQL expression over the number `n` of each. */
async function fillGuestReports(browser: string, count: number): Promise<void> {
  await query(
    `insert into guest_reports (browser_hash, form_key, digest, fields, report, kept_at)
     select ${browser}, 'x' || n, '', '{}', '{}', now() from generate_series(1, $1::integer) n`,
    [count],
  )
}

const form = 'form[action="/report"]'

/** Where a sign-in leads whose report is gone. */
const gone = '/report?notice=reportGone'
