import { load } from 'cheerio'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { cookieOf } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts, setCountOf } from '../../support/house/limits.js'
import { hiddenIn } from '../../support/links/guestBrowser.js'
import { multipart, picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'

const house = useHouse()
const { office } = house
const words = { title: 'It <hums> & "rattles"', description: 'Line one\r\nLine two', isAnonymous: 'true' }

const assetId = 1
let cookie: string
beforeEach(async () => {
  // Each case sends the same report, which is asked about within the hour (decision 9.12).
  await query('delete from idempotency_keys')
  await query('delete from staged_photos')
  cookie = await house.signIn('resident@example.com')
})

describe('a report sent after the session has ended', () => {
  it('is kept without anything secret that came along', async () => {
    const form = {
      ...words,
      againPassword: 'Canary-password',
      againCode: 'Canary-code',
      password: 'Canary-new',
    }
    const { id } = await house.json('mobile', '/api/incidents', {
      json: { assetId, title: 'Stuck', severity: 'low' },
    })
    const refused = await house.submit('guest', `/incidents/${id}/updates`, form)
    const page = await refused.text()
    expect(page).toContain('Line one')
    expect(page).not.toContain('Canary')
  })

  it.each(perRun({ quick: { every: 3 }, whole: Object.entries(ends()) }))(
    'by %s keeps words and photos until it is sent again',
    async (_how, end) => {
      const fields = await typed()
      const before = (await incidentsTitled(words.title)).length
      await query(end)
      const refused = await sendFromBrowser('/report', multipart(fields, [{ bytes: await picture() }]))
      expect(refused.status).toBe(401)
      const signIn = load(await refused.text())
      expect(signIn('main').text()).toContain('We’ve kept your text')
      expect((await incidentsTitled(words.title)).length).toBe(before)

      const again = await signInWith(signIn)
      expect(again.status).toBe(200)
      const page = load(await again.text())
      expect(page('#title').attr('value')).toBe(words.title)
      expect(page('#description').text().trim().split(/\r?\n/)).toEqual(['Line one', 'Line two'])
      expect(page('#assetId option[selected]').attr('value')).toBe(`asset-${assetId}`)
      expect(page('input[name=severity][checked]').attr('value')).toBe('high')
      expect(page('#isAnonymous').attr('checked')).toBeDefined()
      expect(page('.notice').text()).toContain('press the button to send it')
      expect(page('input[name=stagedPhotos]').length).toBe(1)

      const now = { cookie: cookieOf(again) }
      const photo = await house.ask('guest', page('.photos img').attr('src')!, { headers: now })
      expect(photo.status).toBe(200)
      const once = { ...fields, ...hiddenIn(page, 'form[action="/report"]') }
      const sent = await sendFromBrowser('/report', multipart(once), now)
      expect(sent.status).toBe(303)
      const made = await house.json('resident', `/api${sent.headers.get('location')!.split('?')[0]}`)
      expect([made.title, made.reporterName, made.photos.length]).toEqual([
        words.title,
        'Anonymous resident',
        1,
      ])
      expect(await staged()).toEqual([])
    },
  )

  it('keeps the words, and asks for the photos once more, when they had signed out elsewhere', async () => {
    const fields = await typed()
    await house.submit({ cookie }, '/sign-out')
    const refused = await sendFromBrowser('/report', multipart(fields, [{ bytes: await picture() }]))
    const again = await signInWith(load(await refused.text()))
    const page = load(await again.text())
    expect(page('#title').attr('value')).toBe(words.title)
    expect(page('.notice').text()).toContain('Add your photos again')
    expect(await staged()).toEqual([])
  })

  it('keeps them through a wrong password and a forgotten one', async () => {
    const refused = await sendFromBrowser('/report', multipart(await typed()), { cookie: '' })
    let page = load(await refused.text())
    for (const password of ['not it', '']) {
      const answer = await signInWith(page, 'resident@example.com', password)
      expect(answer.status).toBe(password ? 401 : 422)
      page = load(await answer.text())
    }
    const again = load(await (await signInWith(page)).text())
    expect(again('#title').attr('value')).toBe(words.title)
  })

  it('shows nothing of it to another person who signs in there', async () => {
    const fields = await typed()
    await query(ends().idleness)
    const refused = await sendFromBrowser('/report', multipart(fields, [{ bytes: await picture() }]))
    const signIn = load(await refused.text())
    const other = await signInWith(signIn, 'board@example.com')
    expect([other.status, other.headers.get('location')]).toEqual([303, '/admin'])
    const { typed: carried } = hiddenIn(signIn, 'form[action="/sign-in"]')
    const [id] = JSON.parse(carried!).fields.stagedPhotos
    const forged = await house.submit('board', '/report', { title: '', stagedPhotos: id })
    expect(load(await forged.text())('input[name=stagedPhotos]').length).toBe(0)
  })

  it('keeps no photo in the name of somebody whose form it is not', async () => {
    const fields = await typed()
    cookie = await house.signIn('board@example.com')
    await query(ends().age)
    await sendFromBrowser('/report', multipart(fields, [{ bytes: await picture() }]))
    await sendFromBrowser('/report', multipart({ ...fields, writer: '' }, [{ bytes: await picture() }]))
    await sendFromBrowser('/report', multipart(fields, [{ bytes: await picture() }]), {
      cookie: 'caretaker=made-up',
    })
    expect(await staged()).toEqual([])
  })
})

describe('a comment sent after the session has ended', () => {
  it('waits on the page of its report, with the focus in its box, until it is posted', async () => {
    const id = await stuckReport()
    const { path, signIn } = await sendComment(id, [{ bytes: await picture() }])
    const back = await signInWith(signIn)
    expect([back.status, back.headers.get('location')]).toEqual([303, `/incidents/${id}#comment-body`])
    const now = { cookie: cookieOf(back) }
    // As often as it is opened: after a reload and after Back.
    for (const _ of [1, 2]) {
      const page = await house.page(now, `/incidents/${id}`)
      const form = page(`form[action="${path}"]`)
      expect(form.find('#comment-body').text().trim()).toBe('Still stuck')
      expect(form.find('#comment-body').attr('aria-describedby')).toMatch(/^draft /)
      expect(form.find('#draft').text()).toBe('Your comment isn’t posted yet. You’re signed in again.')
      expect(form.find('input[name=stagedPhotos]')).toHaveLength(1)
      expect(page('.notice')).toHaveLength(0)
    }
    const page = await house.page(now, `/incidents/${id}`)
    const fields = { ...hiddenIn(page, `form[action="${path}"]`), body: 'Still stuck' }
    expect((await sendFromBrowser(path, multipart(fields), now)).status).toBe(303)
    const later = await house.page(now, `/incidents/${id}`)
    expect(later('#draft')).toHaveLength(0)
    expect(later('#comment-body').text().trim()).toBe('')
    const { updates, photos } = await house.json('guest', `/api/incidents/${id}`)
    expect([updates.at(-1).body, photos]).toEqual(['Still stuck', [expect.anything()]])
  })

  it('asks for photos once more only where there were some that are lost', async () => {
    const id = await stuckReport()
    for (const [files, words] of [
      [[], 'You’re signed in again.'],
      [[{ bytes: await picture() }], 'You’re signed in again. Add your photos again.'],
    ] as const) {
      cookie = await house.signIn('resident@example.com')
      const { signIn } = await sendComment(id, files, () => house.submit({ cookie }, '/sign-out'))
      const now = { cookie: cookieOf(await signInWith(signIn)) }
      const page = await house.page(now, `/incidents/${id}`)
      expect(page('#draft').text()).toBe(`Your comment isn’t posted yet. ${words}`)
    }
  })

  it('waits on no other report, for no one else, and for an hour', async () => {
    const [id, other] = [await stuckReport(), await stuckReport()]
    const { signIn } = await sendComment(id)
    const now = { cookie: cookieOf(await signInWith(signIn)) }
    const waits = async (who: Parameters<typeof house.page>[0], report = id) =>
      (await house.page(who, `/incidents/${report}`))('#draft').length === 1
    expect([await waits(now), await waits(now, other)]).toEqual([true, false])
    const elsewhere = { cookie: await house.signIn('resident@example.com') }
    for (const who of [elsewhere, 'george.adeyemi@example.com', 'guest'] as const)
      expect(await waits(who)).toBe(false)
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 })
    expect(await waits(now)).toBe(false)
  })

  it('of staff waits in their form, on the survivor where the report was merged meanwhile', async () => {
    const [id, survivor] = [await stuckReport(), await stuckReport()]
    cookie = await house.signIn('manager@example.com')
    const { signIn } = await sendComment(id)
    await office.merges(id, survivor)
    const back = await signInWith(signIn, 'manager@example.com')
    expect(back.headers.get('location')).toBe(`/incidents/${survivor}#comment-body`)
    const page = await house.page({ cookie: cookieOf(back) }, `/incidents/${survivor}`)
    expect(page('.answer #comment-body').text().trim()).toBe('Still stuck')
    expect(page('.answer #draft')).toHaveLength(1)
  })
})

describe('what comes without a session otherwise', () => {
  it('is refused unread when it is JSON or a machine’s', async () => {
    for (const headers of [{ accept: 'application/json' }, { authorization: 'Bearer nobodys' }] as Record<
      string,
      string
    >[]) {
      const answer = await house.ask('guest', '/report', {
        body: 'x'.repeat(100_000),
        headers: { 'content-type': 'multipart/form-data', ...headers },
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
      expect(answer.headers.get('connection')).toBe('close')
    }
  })

  it('is refused without its words when another site sent it, or it cannot be read', async () => {
    const foreign = await sendFromBrowser('/report', multipart(await typed()), {
      'sec-fetch-site': 'cross-site',
      cookie: '',
    })
    const broken = await house.ask('guest', '/report', {
      body: 'no boundary',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data',
      },
    })
    for (const answer of [foreign, broken]) {
      expect(answer.status).toBe(401)
      expect(load(await answer.text())('input[name=typed]').length).toBe(0)
    }
  })

  it('is kept of a network that asks too often as words alone, and not when it is large', async () => {
    const fields = await typed()
    const kept = async (photo = '') => {
      const files = photo ? [{ bytes: Buffer.from(photo) }] : []
      const answer = await sendFromBrowser('/report', multipart(fields, files), { cookie: '' })
      expect(answer.status).toBe(401)
      return load(await answer.text())('form[action="/sign-in"] input[name=typed]').length
    }
    expect(await kept()).toBe(1)
    await setCountOf('resume', '127.0.0.1', 1_000_000)
    expect(await kept()).toBe(1)
    expect(await kept('x'.repeat(limits.formBytes))).toBe(0)
    await forgetCounts()
  })
})

/** A report that someone else has sent. */
async function stuckReport(): Promise<number> {
  const json = { assetId, title: 'Stuck', severity: 'low' }
  return (await house.json('mobile', '/api/incidents', { json })).id
}

/** Sends a comment after the session has ended: where to, and the sign-in page that comes back. */
async function sendComment(
  id: number,
  files: readonly { bytes: Buffer }[] = [],
  end: () => Promise<unknown> = () => query(ends().idleness),
) {
  const path = `/incidents/${id}/updates`
  const fields = { ...(await typed(`/incidents/${id}`, `form[action="${path}"]`)), body: 'Still stuck' }
  await end()
  const refused = await sendFromBrowser(path, multipart(fields, [...files]))
  return { path, signIn: load(await refused.text()) }
}

/** Opens the form while the session lives, and returns what a browser would send of it. */
async function typed(path = '/report', form = 'form[action="/report"]'): Promise<Record<string, string>> {
  const page = await house.page({ cookie }, path)
  return { ...hiddenIn(page, form), ...words, assetId: String(assetId), severity: 'high' }
}

function sendFromBrowser(path: string, body: FormData, headers: Record<string, string> = {}) {
  const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  return house.ask({ cookie }, path, { body, headers: { ...html, ...headers } })
}

async function signInWith(
  page: ReturnType<typeof load>,
  email = 'resident@example.com',
  password = demoPassword,
) {
  const form = { ...hiddenIn(page, 'form[action="/sign-in"]'), email, password }
  return house.submit('guest', '/sign-in', form)
}

function incidentsTitled(title: string) {
  return query<{ id: number }>('select id from incidents where title = $1', [title])
}

/** The photos that wait for people who are signed in. */
function staged() {
  return query<{ userId: number }>('select user_id from staged_photos where user_id is not null')
}

/** How a session ends that its row outlives: by what happens to the row. */
function ends() {
  return {
    idleness: `update sessions set last_seen_at = now() - interval '7 days 1 hour'`,
    age: `update sessions set expires_at = now() - interval '1 minute'`,
    'a new password': 'update users set session_epoch = session_epoch + 1',
  }
}
