import { existsSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tidy } from '../../src/app/tidy.js'
import { emailLimits, quarantine } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { heldEmail } from '../support/email/heldEmails.js'
import { type IncomingEmail, newEmail } from '../support/email/incomingEmail.js'
import { holdEmails, takeInEmails } from '../support/email/manyEmails.js'
import { emptyOutbox } from '../support/email/messages.js'
import { anHourLater, forgetEmails, houseServer } from '../support/email/receivedEmails.js'
import { staff } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { picture } from '../support/pictures.js'
import { count, scalar } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()

beforeEach(async () => {
  await forgetEmails()
  await house.changeProperty({ emailVisibility: 'at_once' })
  config.email.authserv = null
})

describe('senders who are not proven', () => {
  it('make twenty incidents an hour from one domain, however many come at once, and the rest is kept', async () => {
    await spend(5)
    const before = await count('incidents')
    const answers = await many(15)
    expect(created(answers)).toBe(5)
    expect(answers.filter(({ action }) => action !== 'created')).toEqual(Array(10).fill(held))
    expect(await count('incidents')).toBe(before + 5)
    expect(await list()).toHaveLength(10)
    expect(await sendEmail({ from: 'b@other.example' })).toMatchObject({ action: 'created' })
    await anHourLater()
    expect(await sendEmail()).toMatchObject({ action: 'created' })
  })

  it('are counted without an address, and with a dot or capitals in the domain', async () => {
    await spend(2, '')
    expect(created(await many(4, () => ({ from: 'nobody' })))).toBe(2)
    await spend(2, 'spelt.example')
    const spellings = ['x@Spelt.example', 'x@spelt.example.', 'X@SPELT.EXAMPLE']
    expect(created(await many(5, (i) => ({ from: spellings[i % 3] })))).toBe(2)
  })

  it('spend their share on replies as on reports', async () => {
    const id = await house.report({ assetId: 1, title: 'Case', severity: 'low' })
    await spend(2)
    const answers = await many(4, () => ({ subject: `[INC-${id}]` }))
    expect(answers.filter(({ action }) => action === 'appended')).toHaveLength(2)
    expect(await sendEmail()).toEqual(held)
    const [one] = await list()
    expect(one).toMatchObject({ subject: expect.stringContaining('Flood'), reason: 'domain' })
  })

  it('take nothing from those of other domains, or from what the office accepts', async () => {
    await spend()
    await sendEmail()
    expect(await sendEmail({ from: 'Maya <resident@example.com>' })).toMatchObject({ action: 'created' })
    const [one] = await list()
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [one.id] } })
    expect(await sendEmail({ from: 'c@third.example' })).toMatchObject({ action: 'created' })
  })

  it('make staff hear of twenty incidents an hour, and nobody hears of what is held', async () => {
    await emptyOutbox()
    const most = emailLimits.reports.most.unproven
    await many(most + 4, (i) => ({ from: `x${i}@d${i % 2}.example` }))
    const notified = await queryAfterFanOut<{ n: number }>(
      `select count(*)::integer as n from outbox where event = 'incident.created' and kind = 'mail'
       group by recipient_id`,
    )
    expect(notified.length).toBeGreaterThan(0)
    for (const each of notified) expect(each.n).toBe(most)
  })

  it('get the same answer for the same email, and one place in the list', async () => {
    await spend()
    const again = { from: 'ada@flood.example', messageId: '<again@x>' }
    expect(await many(5, () => again)).toEqual(Array(5).fill(held))
    expect(await list()).toHaveLength(1)
  })
})

describe('what is held', () => {
  /** Fills the quarantine with emails of many domains that are not proven. */
  const fill = (count: number) => holdEmails('unproven', count)
  const room = emailLimits.waiting.most.unproven
  const isRefused = async (given: IncomingEmail) => {
    const json = newEmail({ from: 'ada@flood.example', ...given })
    const answer = await house.ask('inbound', '/api/inbound-email', { json })
    expect([answer.status, (await answer.json()).code]).toEqual([503, 'emails_full'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  it('is bounded: then the provider is asked to try again, and the same email gets in once', async () => {
    await fill(room)
    await spend()
    const entries = await count('audit_entries')
    const again = { from: 'ada@flood.example', subject: 'Again', messageId: '<again@flood.example>' }
    await isRefused(again)
    await isRefused(again)
    expect(await count('audit_entries')).toBe(entries)
    expect(await count('held_emails')).toBe(room)
    expect(await query('select domain, emails from dropped_emails')).toEqual([
      { domain: 'flood.example', emails: 2 },
    ])
    const page = await house.page('manager', '/admin/held-emails')
    expect(page('[role=note]').text()).toContain('2 from flood.example')
    const [{ id: sorted }] = await list()
    await house.json('manager', '/api/admin/held-emails/discard', { json: { ids: [sorted] } })
    expect(await sendEmail(again)).toEqual(held)
    expect(await sendEmail(again)).toEqual(held)
    expect(await count(`held_emails where title = '${again.subject}'`)).toBe(1)
    expect(await count('held_emails where sorted_at is null')).toBe(room)
  })

  it('keeps room for proven senders: ten known addresses, forged twenty times each, take none of it', async () => {
    config.email.authserv = houseServer
    await house.changeProperty({ emailVisibility: 'when_sorted' })
    const known = (
      await query<{ email: string }>(
        'select email from users where active and not is_mobile_reporter order by id limit 10',
      )
    ).map(({ email }) => email)
    await fill(room - 20)
    const forged = known.flatMap((from) => Array.from({ length: 20 }, () => newEmail({ from })))
    const statuses: number[] = []
    for (const json of forged)
      statuses.push((await house.ask('inbound', '/api/inbound-email', { json })).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(await count('held_emails where sorted_at is null')).toBe(room)
    const headers = { 'Authentication-Results': `${houseServer}; dmarc=pass header.from=example.com` }
    for (const from of known) {
      const json = newEmail({ from, headers })
      const { status } = await house.ask('inbound', '/api/inbound-email', { json })
      expect([from, status]).toEqual([from, 200])
    }
  })

  it('is at most a share from one domain, and sorted emails make room for waiting ones', async () => {
    await spend()
    await holdEmails('unproven', emailLimits.waitingOfDomain.most.unproven, { domain: 'flood.example' })
    await isRefused({})
    expect(await sendEmail({ from: 'x@other.example' })).toMatchObject({ action: 'created' })
    await forgetEmails()
    await holdEmails('unproven', quarantine.inAll, { isSorted: true })
    await spend()
    expect(await sendEmail()).toEqual(held)
    expect(await count('held_emails')).toBe(quarantine.inAll)
  })

  it('is counted by name for a hundred domains, and in one number for all others', async () => {
    await query(
      `insert into dropped_emails (domain) select 'd' || i || '.example'
       from generate_series(1, ${quarantine.domains}) i`,
    )
    await fill(quarantine.inAll)
    await spend(-emailLimits.hour.most.unproven)
    for (const domain of ['x.example', 'y.example']) await isRefused({ from: `x@${domain}` })
    expect(await query(`select emails from dropped_emails where domain = ''`)).toEqual([{ emails: 2 }])
    expect(await count('dropped_emails')).toBe(quarantine.domains + 1)
  })

  it('keeps its photos, which nobody can open, and names what was attached besides', async () => {
    await spend()
    const contentBase64 = (await picture('jpeg')).toString('base64')
    await sendEmail({
      attachments: [
        { filename: 'a.jpg', contentBase64 },
        { filename: 'plan.pdf', contentBase64: 'JVBERi0=' },
      ],
    })
    const [one] = await list()
    expect(one).toMatchObject({ photos: 1, attachments: ['plan.pdf'] })
    const [photo] = await query<{ path: string }>('select path from held_email_photos')
    for (const who of ['guest', 'manager'] as const)
      expect((await house.ask(who, `/api/photos/${photo!.path}`)).status).toBe(404)
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [one.id] },
    })
    const incident = await house.json('guest', `/api/incidents/${incidentIds[0]}`)
    expect(incident.photos.map(({ path }: { path: string }) => path)).toEqual([photo!.path])
    expect((await house.ask('guest', `/api/photos/${photo!.path}`)).status).toBe(200)
    expect(await count('held_email_photos')).toBe(0)
    const said = await house.json('manager', `/api/incidents/${incidentIds[0]}`)
    expect(JSON.stringify(said)).toContain('plan.pdf')
  })

  it('is kept for 30 days with its photos, sorted or not, and then forgotten', async () => {
    await spend()
    const contentBase64 = (await picture('jpeg')).toString('base64')
    await sendEmail({ attachments: [{ filename: 'a.jpg', contentBase64 }] })
    const [photo] = await query<{ path: string }>('select path from held_email_photos')
    const sorted = await heldEmail({ sorted: true })
    await query(`insert into dropped_emails (domain) values ('flood.example')`)
    const age = (days: number) =>
      query(
        `with aged as (update held_emails set received_at = now() - make_interval(days => $1))
         update dropped_emails set latest_at = now() - make_interval(days => $1)`,
        [days],
      )
    const file = path.join(config.photoDir, await storedAs(photo!.path))
    const old = new Date(Date.now() - 2 * 86_400_000)
    await utimes(file, old, old)
    await age(29)
    expect(await tidy(config.uploadDir)).toMatchObject({ heldEmails: 0, droppedEmails: 0 })
    expect(existsSync(file)).toBe(true)
    expect((await list('?state=discarded')).map(({ id }: { id: number }) => id)).toEqual([sorted])
    await age(31)
    expect(await tidy(config.uploadDir)).toMatchObject({ heldEmails: 2, droppedEmails: 1 })
    expect(existsSync(file)).toBe(false)
    expect(await count('held_email_photos')).toBe(0)
  })

  it.each([
    ['whose sender sent too many', spend],
    ['while every email waits', () => house.changeProperty({ emailVisibility: 'when_sorted' })],
  ])('keeps the photos of so many, and names those of the rest: of one %s', async (_which, becomesHeld) => {
    const id = await heldEmail({ photos: quarantine.photos })
    await becomesHeld()
    const contentBase64 = (await picture('jpeg')).toString('base64')
    await sendEmail({ attachments: [{ filename: 'late.jpg', contentBase64 }] })
    const [one] = await list()
    expect(one.id).not.toBe(id)
    expect(one).toMatchObject({ photos: 0, attachments: ['late.jpg'] })
  })
})

describe('the list of emails to sort', () => {
  it('shows who wrote what, newest first, on the page and as JSON', async () => {
    const old = await heldEmail({ subject: 'Older', text: 'x'.repeat(400) })
    const id = await heldEmail({ subject: '<b>Newer</b>', skipped: ['plan.pdf'] })
    const data = await house.json('board', '/api/admin/held-emails')
    expect(data.map((each: { id: number }) => each.id)).toEqual([id, old])
    expect(data[0]).toEqual({
      id,
      receivedAt: expect.stringMatching(/Z$/),
      state: 'waiting',
      reason: 'domain',
      mark: null,
      senderName: 'Ada',
      senderEmail: 'ada@flood.example',
      senderProven: false,
      domain: 'flood.example',
      subject: '<b>Newer</b>',
      text: 'In the hall',
      photos: 0,
      attachments: ['plan.pdf'],
      incidentId: null,
    })
    const page = await house.page('board', '/admin/held-emails')
    expect(page('.desk .title').eq(0).text()).toBe('<b>Newer</b>')
    expect(page('.desk').text()).toContain('ada@flood.example')
    expect(page('.desk').text()).toContain('plan.pdf (we couldn’t add it)')
    expect(page('.desk').text()).toContain('ada@flood.example (sender not verified)')
    expect(page('details').text()).toContain('x'.repeat(400))
    expect(page('.desk b')).toHaveLength(0)
  })

  it('is a tab of the desk', async () => {
    const emailsToSort = async () => {
      const { tabs } = await house.json('manager', '/api/admin')
      return tabs.find(({ tab }: { tab: string }) => tab === 'emails').total
    }
    expect(await emailsToSort()).toBe(0)
    expect((await house.page('manager', '/admin'))('main p a[href="/admin/held-emails"]')).toHaveLength(0)
    await heldEmail()
    await heldEmail()
    await heldEmail({ sorted: true })
    expect(await emailsToSort()).toBe(2)
    const page = await house.page('board', '/admin')
    expect(page('.tabs a[href="/admin/held-emails"] .count').text()).toBe('2')
  })
})

describe('sorting', () => {
  it('makes an incident as if it had just come by email, audited', async () => {
    const id = await heldEmail({ subject: 'Gas', text: 'Smells' })
    const answer = await house.submit('board', '/admin/held-emails/accept', { only: String(id) })
    expect(answer.headers.get('location')).toBe('/admin/held-emails?notice=emailsAccepted')
    const [one] = await list('?state=accepted')
    const incident = await house.json('manager', `/api/incidents/${one.incidentId}`)
    expect(incident).toMatchObject({
      title: 'Gas',
      description: 'Smells',
      status: 'open',
      severity: 'medium',
      source: 'email',
      assetId: null,
      unitId: null,
    })
    const [row] = await query('select reporter_id, reporter_email from incidents where id = $1', [
      one.incidentId,
    ])
    expect(row).toEqual({ reporterId: null, reporterEmail: 'ada@flood.example' })
    const entries = await query(
      `select action, actor_type, via from audit_entries where id > (select max(id) - 2 from audit_entries)
       order by id`,
    )
    expect(entries).toEqual([
      { action: 'incident.created', actorType: 'user', via: 'web' },
      { action: 'mail.accepted', actorType: 'user', via: 'web' },
    ])
    expect(await list()).toEqual([])
  })

  it('makes one incident of an email that several accept at once', async () => {
    const id = await heldEmail()
    const before = await count('incidents')
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        house.json(staff[i % 3]!, '/api/admin/held-emails/accept', { json: { ids: [id, id] } }),
      ),
    )
    expect(results.flatMap(({ done }) => done)).toEqual([id])
    expect(results.flatMap(({ skipped }) => skipped)).toHaveLength(11)
    expect(await count('incidents')).toBe(before + 1)
  })

  it('discards those that are ticked, keeps them to be looked at, and lets one be taken back', async () => {
    const [first, second, third] = [await heldEmail(), await heldEmail(), await heldEmail()]
    const body = new URLSearchParams([
      ['ids', String(first)],
      ['ids', String(second)],
    ])
    const answer = await house.ask('manager', '/admin/held-emails/discard', { body, headers: ours })
    expect(answer.status).toBe(303)
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual([third])
    expect(await list('?state=discarded')).toHaveLength(2)
    expect(
      await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [first] } }),
    ).toMatchObject({
      done: [first],
      incidentIds: [expect.any(Number)],
    })
    expect(
      await house.json('manager', '/api/admin/held-emails/discard', { json: { ids: [first, 999_999] } }),
    ).toEqual({
      done: [],
      skipped: [
        { id: first, code: 'email_sorted' },
        { id: 999_999, code: 'not_found' },
      ],
    })
    for (const [ids, notice] of [
      [[first], 'noneDone'],
      [[first, third], 'someDone'],
    ] as const) {
      const form = new URLSearchParams(ids.map((id): [string, string] => ['ids', String(id)]))
      const sent = await house.ask('manager', '/admin/held-emails/discard', { body: form, headers: ours })
      expect(sent.headers.get('location')).toBe(`/admin/held-emails?notice=${notice}`)
    }
  })

  it('discards all of a domain with one entry', async () => {
    for (let i = 0; i < 3; i += 1) await heldEmail()
    const other = await heldEmail({ address: 'x@other.example' })
    const page = await house.page('manager', '/admin/held-emails')
    expect(page('button[name=domain]').text()).toBe('Discard all 3 emails from flood.example')
    const before = await count('audit_entries')
    const answer = await house.submit('manager', '/admin/held-emails/discard', { domain: 'flood.example' })
    expect(answer.status).toBe(303)
    expect((await list()).map(({ id }: { id: number }) => id)).toEqual([other])
    expect(await count('audit_entries')).toBe(before + 1)
    const again = await house.ask('manager', '/api/admin/held-emails/discard', {
      json: { domain: 'flood.example' },
    })
    expect(again.status).toBe(404)
  })

  it('refuses too few or too many and what is no number, on the page with the list under it', async () => {
    const id = await heldEmail()
    for (const [json, text] of [
      [{ ids: [] }, 'Select at least one email'],
      [{ ids: ['x'] }, 'There’s no email with this number'],
      [{ ids: Array.from({ length: 101 }, (_, i) => i + 1) }, 'Select 100 emails or fewer'],
    ] as const)
      for (const act of ['accept', 'discard']) {
        const answer = await house.ask('manager', `/api/admin/held-emails/${act}`, { json })
        expect([answer.status, (await answer.json()).errors.ids]).toEqual([422, [text]])
      }
    const page = await house.page('manager', '/admin/held-emails/accept', {
      body: new URLSearchParams(),
      headers: ours,
    })
    expect(page('.errors').text()).toContain('Select at least one email')
    expect(page(`#pick-${id}`)).toHaveLength(1)
  })

  it('tells the others of the first few of many', async () => {
    const ids = []
    for (let i = 0; i < 8; i += 1) ids.push(await heldEmail())
    await emptyOutbox()
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids } })
    const [notified] = await queryAfterFanOut(
      `select count(*)::integer as n from outbox
       where recipient_id = (select id from users where email = 'board@example.com')`,
    )
    expect(notified).toEqual({ n: 5 })
  })

  it('tells the others of a new one behind any number of replies', async () => {
    const incidentId = await house.report({ title: 'Lamp', severity: 'low' })
    const ids = []
    for (let i = 0; i < 6; i += 1)
      ids.push(await heldEmail({ subject: `Re: Lamp [INC-${incidentId}]`, text: `Reply ${i}` }))
    ids.push(await heldEmail())
    await emptyOutbox()
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids } })
    const events = await queryAfterFanOut(
      `select event from outbox
       where recipient_id = (select id from users where email = 'board@example.com')`,
    )
    expect(events).toContainEqual({ event: 'incident.created' })
  })
})

const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

const held = { action: 'ignored', reason: 'held' }

/** An email of the domain that has sent too many. */
function sendEmail(given: IncomingEmail = {}) {
  return house.emails({ from: 'Ada <ada@flood.example>', subject: 'Flood', ...given })
}

/** So many at once, each from another address of the domain. */
function many(count: number, given: (i: number) => IncomingEmail = () => ({})) {
  const emails = Array.from({ length: count }, (_, i) => ({
    from: `Ada <ada${i}@flood.example>`,
    ...given(i),
  }))
  return Promise.all(emails.map(sendEmail))
}

function created(answers: { action: string }[]) {
  return answers.filter(({ action }) => action === 'created').length
}

function list(query = '') {
  return house.json('manager', `/api/admin/held-emails${query}`)
}

/** Where a photo lies below the folder of all. */
async function storedAs(photo: string) {
  return (await readdir(config.photoDir, { recursive: true })).find((file) => file.endsWith(photo))!
}

/** What senders of one domain may send within the hour, but `left`, without sending it. */
async function spend(left = 0, domain = 'flood.example') {
  const most = emailLimits.hourOfDomain.most.unproven
  await takeInEmails('unproven', most - left, await scalar('select min(id) from incidents'), {
    sender: '',
    domain,
  })
}
