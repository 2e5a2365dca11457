import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/ops/config.js'
import { idle } from '../../../src/platform/outbox/outbox.js'
import { hourlyEmails } from '../../../src/vocabulary/email/heldEmail.js'
import { type Asked, useApp, type Who } from '../../support/app.js'
import { anAnswer } from '../../support/builders/answers.js'
import { anIncident } from '../../support/builders/incident.js'
import { asOwner } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { picture } from '../../support/pictures.js'
import { eventually } from '../../support/suite/eventually.js'
import { itInWholeRun } from '../../support/suite/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const app = useApp()
let n = 0

/** Each test has an hour of its own: what unknown senders made counts within one (decision 7.4). */
beforeEach(() => query(`update inbound_messages set received_at = received_at - interval '1 hour'`))

/** Posts a mail and returns its answer; every mail is another one unless a test says otherwise. */
async function mail(given: Record<string, unknown>, who: Who = 'inbound') {
  n += 1
  return app.json(who, '/api/inbound-email', {
    json: {
      from: 'Ada Novak <ada@elsewhere.example>',
      text: `Words ${n}`,
      messageId: `<${n}@test>`,
      ...given,
    },
  })
}

const detail = (id: number, who: Who = 'guest') => app.json(who, `/api/incidents/${id}`)

const count = async (table: string) =>
  (await query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n

/** Photos and thumbnails in the store. */
const photoFiles = () =>
  readdirSync(config.photoDir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jpg'))
    .length

const base64 = (bytes: Buffer) => bytes.toString('base64')
const photo = async (filename = 'photo.jpg', colour?: string) => ({
  filename,
  contentType: 'image/jpeg',
  contentBase64: base64(await picture('jpeg', colour)),
})

describe('a mail without a tag', () => {
  it('opens an untriaged incident', async () => {
    const answer = await mail({ subject: 'Lift makes noise', text: 'Since this morning.\r\nVery loud.' })
    expect(answer).toEqual({ action: 'created', incidentId: expect.any(Number) })
    expect(await detail(answer.incidentId)).toMatchObject({
      title: 'Lift makes noise',
      description: 'Since this morning.\nVery loud.',
      severity: 'medium',
      status: 'open',
      source: 'email',
      assetId: null,
      unitId: null,
      isDowntime: false,
      reporterName: 'By email',
    })
  })

  it('fires incident.created and is audited as the system, by email', async () => {
    await query(
      `insert into webhook_subscriptions (url, secret, events) values ('http://127.0.0.1:1/', 's', '{incident.created}')`,
    )
    const { incidentId } = await mail({ subject: 'Told to the world' })
    const [entry] = await query(
      `select actor_type, actor_id, via, action from audit_entries where entity = 'incident' and entity_id = $1`,
      [incidentId],
    )
    expect(entry).toEqual({ actor_type: 'system', actor_id: null, via: 'email', action: 'incident.created' })
    const [told] = await query<{ body: string }>(
      'select body from webhook_deliveries order by id desc limit 1',
    )
    expect(JSON.parse(told!.body)).toMatchObject({
      event: 'incident.created',
      incident: { id: incidentId, source: 'email', assetId: null },
    })
  })

  it.each([
    ['proven', 'pass'],
    ['not proven', 'none'],
  ])(
    'from the address of an account is followed by it, and by its name when it is %s',
    async (_what, dmarc) => {
      config.mail.authserv = 'mx.house.example'
      const { incidentId } = await mail({
        from: 'Nobody <George.Adeyemi@Example.com>',
        subject: 'From home',
        headers: { 'Authentication-Results': `mx.house.example; dmarc=${dmarc} header.from=example.com` },
      })
      config.mail.authserv = null
      const [row] = await query(
        `select r.email as reporter, i.reporter_label, i.reporter_email, i.sender_proven,
         exists (select from followers f join users u on u.id = f.user_id
           where f.incident_id = i.id and u.email = 'george.adeyemi@example.com') as follows
       from incidents i left join users r on r.id = i.reporter_id where i.id = $1`,
        [incidentId],
      )
      expect(row).toEqual({
        reporter: dmarc === 'pass' ? 'george.adeyemi@example.com' : null,
        reporter_label: null,
        reporter_email: 'george.adeyemi@example.com',
        sender_proven: dmarc === 'pass',
        follows: true,
      })
      const entries = await query(
        `select actor_type from audit_entries where entity = 'incident' and entity_id = $1`,
        [incidentId],
      )
      expect(entries).toEqual([{ actor_type: 'system' }])
    },
  )

  it('from a closed account, or from the address of the app, is a stranger’s', async () => {
    await query(`update users set active = false where email = 'anil.mistry@example.com'`)
    for (const from of ['Anil <anil.mistry@example.com>', 'App <mobile-reporter@caretaker.invalid>']) {
      const { incidentId } = await mail({ from, subject: 'Stranger' })
      expect((await query('select reporter_id from incidents where id = $1', [incidentId]))[0]).toEqual({
        reporter_id: null,
      })
    }
  })

  it.each([
    ['Ada Novak <ada@secret.example>', 'ada@secret.example'],
    ['"Novak, Ada" <ada@secret.example>', 'ada@secret.example'],
    ['ada@secret.example (Ada)', 'ada@secret.example'],
    ['=?utf-8?B?QWTDqQ==?= <ada@secret.example>', 'ada@secret.example'],
    ['ada@secret.example', 'ada@secret.example'],
    ['"Tomasz Zieliński" <ada@secret.example>', 'ada@secret.example'],
    [`${'a'.repeat(400)}@secret.example`, undefined],
    [`${'İ'.repeat(300)}@secret.example`, undefined],
    ['', undefined],
    ['<<>>,;"', undefined],
  ])('from %j is by nobody to everybody; staff see the address', async (from, address) => {
    const { incidentId } = await mail({ from, subject: `From ${n}` })
    await mail({ from, subject: `[INC-${incidentId}]`, text: 'More' })
    for (const who of ['guest', 'resident', 'mobile', 'manager'] as const) {
      const seen = await detail(incidentId, who)
      expect([seen.reporterName, seen.updates[0].authorName]).toEqual(['By email', 'By email'])
      const shown = who === 'manager' ? address : undefined
      expect([seen.reporterEmail, seen.updates[0].authorEmail]).toEqual([shown, shown])
      for (const path of [
        `/incidents/${incidentId}`,
        `/api/incidents/${incidentId}`,
        '/incidents',
        '/api/incidents?limit=5',
      ]) {
        const text = await (await app.ask(who, path)).text()
        if (who !== 'manager') expect(text).not.toContain('secret.example')
        expect(text).not.toMatch(/Novak|Adé/)
      }
    }
    const page = await (await app.ask('manager', `/incidents/${incidentId}`)).text()
    if (address) expect(page).toContain(address)
  })

  it('in HTML alone becomes text, without script, style or the addresses of links', async () => {
    const html =
      '<html><head><style>p{color:red}</style></head><body><h1>Door</h1><p>It <b>sticks</b> &amp; squeaks</p>' +
      '<p><a href="https://track.example/?u=ada">more</a></p><script>alert(1)</script><img src=x onerror=alert(1)></body>'
    const { incidentId } = await mail({ subject: 'HTML', text: ' \n', html })
    expect((await detail(incidentId)).description).toBe('Door\n\nIt sticks & squeaks\n\nmore')
  })

  it('keeps forwarded words and loses the signature', async () => {
    const text =
      'See below.\n\n---------- Forwarded message ----------\nFrom: Bob\n\n> the lift is stuck\n-- \nAda\n+49 170 1'
    const { incidentId } = await mail({ subject: 'Fwd: lift', text })
    expect((await detail(incidentId)).description).toBe(
      'See below.\n\n---------- Forwarded message ----------\nFrom: Bob\n\n> the lift is stuck',
    )
  })

  it('that is an answer to something unknown here does not publish what it quotes', async () => {
    const text =
      'It is stuck again.\n\nOn Mon, Nov 16, 2026 at 10:00 AM Bob <bob@x.example> wrote:\n> call me: 0170 1\n'
    const { incidentId } = await mail({ subject: 'RE: lift', text })
    expect((await detail(incidentId)).description).toBe('It is stuck again.')
  })

  it.each(['', '   ', '\0\u0001', null, undefined])(
    'and without a subject (%j) has a title all the same',
    async (subject) => {
      const { incidentId } = await mail({ subject })
      expect((await detail(incidentId)).title).toBe('(no subject)')
    },
  )

  it('is cleaned and cut, whatever is in it', async () => {
    const { incidentId } = await mail({
      from: 'N\0a\ud800me\u0007 <x@y.example>',
      subject: `a\0b\r\nBcc: x\ud83d ${'😀'.repeat(300)}`,
      text: `x\0y\ud800z\u0007${'😀'.repeat(20_000)}`,
    })
    const incident = await detail(incidentId)
    expect(incident.title.startsWith('ab Bcc: x� 😀')).toBe(true)
    expect([...incident.title]).toHaveLength(200)
    expect(incident.description.startsWith('xy�z😀')).toBe(true)
    expect([...incident.description]).toHaveLength(10_000)
    expect(incident.title.isWellFormed() && incident.description.isWellFormed()).toBe(true)
  })

  it('is kept with a subject of 10 MB', async () => {
    const { incidentId } = await mail({ subject: 'long '.repeat(2_000_000) })
    expect([...(await detail(incidentId)).title].length).toBeGreaterThanOrEqual(199)
  })

  it.each([
    ['[INC-0] x'],
    ['[INC--1] x'],
    ['[INC-99999999999999999999] x'],
    ['[INC-2000000000] x'],
    ['[INC-1e3] x'],
    ['INC-1 x'],
    ['[INC-] x'],
  ])('with no tag but something like it (%j) is news', async (subject) => {
    expect(await mail({ subject })).toMatchObject({ action: 'created' })
  })
})

describe('a mail with a tag', () => {
  it('is appended with its new words, photos and author, and changes nothing else', async () => {
    const id = await anIncident()
    const text =
      'Still stuck.\n\nSent from my iPhone\n\n> On 16 Nov 2026, at 10:00, Our building <reports@house.example> wrote:\n>\n> Call Tomasz: 0170 1\n'
    const answer = await mail({ subject: `Re: [INC-${id}] Case`, text, attachments: [await photo()] })
    expect(answer).toEqual({ action: 'appended', incidentId: id })
    const incident = await detail(id)
    expect(incident.updates).toEqual([
      {
        id: expect.any(Number),
        authorName: 'By email',
        body: 'Still stuck.',
        newStatus: null,
        createdAt: expect.any(String),
        via: 'email',
      },
    ])
    expect(incident.photos).toHaveLength(1)
    expect(incident.status).toBe('open')
    const [entry] = await query(
      `select actor_type, via, action from audit_entries where entity_id = $1 order by id desc limit 1`,
      [id],
    )
    expect(entry).toEqual({ actor_type: 'system', via: 'email', action: 'incident.commented' })
  })

  it.each([
    '[inc-%]',
    'Re: [Inc-000%]',
    '[ INC - % ]',
    '[INC-%] and [INC-1]',
    '[INC–%]',
    '[INC-\r\n %] folded',
  ])('written as %j finds its incident', async (pattern) => {
    const id = await anIncident()
    expect(await mail({ subject: pattern.replace('%', String(id)) })).toEqual({
      action: 'appended',
      incidentId: id,
    })
  })

  it('split by its encoding finds its incident', async () => {
    const id = await anIncident()
    const subject = `=?utf-8?Q?Re:_[INC-${String(id).slice(0, 1)}?= =?utf-8?Q?${String(id).slice(1)}]_x?=`
    expect(await mail({ subject })).toEqual({ action: 'appended', incidentId: id })
  })

  it('that names two incidents goes to the first, also when only the second exists', async () => {
    const id = await anIncident()
    expect(await mail({ subject: `[INC-1999999999] [INC-${id}]` })).toMatchObject({ action: 'created' })
  })

  it('from the address of an account has none of its rights', async () => {
    const id = await anIncident()
    await mail({
      from: 'x <george.adeyemi@example.com>',
      subject: `[INC-${id}]`,
      text: 'resolved\nnewStatus: resolved',
    })
    const incident = await detail(id)
    expect(incident).toMatchObject({
      status: 'open',
      updates: [{ authorName: 'By email', newStatus: null, via: 'email' }],
    })
    expect(await query('select from followers where incident_id = $1', [id])).toHaveLength(1)
  })

  it('from the address of the anonymous reporter says nothing of who that is', async () => {
    const id = await anIncident({ isAnonymous: true })
    await mail({ from: 'Maya Okafor <resident@example.com>', subject: `[INC-${id}]`, text: 'Me again' })
    expect((await detail(id)).updates[0].authorName).toBe('By email')
    expect((await detail(id, 'manager')).updates[0].claimedName).toBe('Maya Okafor')
  })

  it('for a merged duplicate goes to the survivor', async () => {
    const [duplicate, survivor] = [await anIncident(), await anIncident()]
    await query(
      `update incidents set merged_into_id = $2, status = 'verified', acknowledged_at = now(), resolved_at = now(), verified_at = now() where id = $1`,
      [duplicate, survivor],
    )
    expect(await mail({ subject: `[INC-${duplicate}]` })).toEqual({
      action: 'appended',
      incidentId: survivor,
    })
    expect((await detail(survivor)).updates).toHaveLength(1)
  })

  it('for a verified incident is added and reopens nothing', async () => {
    const id = await anIncident()
    await anAnswer(id, { body: 'Done', status: 'verified' })
    expect(await mail({ subject: `[INC-${id}]` })).toEqual({ action: 'appended', incidentId: id })
    expect(await detail(id)).toMatchObject({ status: 'verified', updates: [{}, { newStatus: null }] })
  })

  it('and nothing new in it says so, or shows its photos', async () => {
    const id = await anIncident()
    const text = 'On Mon, Bob <bob@secret.example> wrote:\n> everything\n> you know\n'
    await mail({ subject: `[INC-${id}]`, text })
    await mail({ subject: `[INC-${id}]`, text: '', attachments: [await photo()] })
    const { updates, photos } = await detail(id)
    expect(updates.map(({ body }: { body: string }) => body)).toEqual([
      'Replied by email with no new text.',
      'Sent by email.',
    ])
    expect(photos).toHaveLength(1)
  })
})

describe('the same mail again', () => {
  it('gets the first answer, by its message id or by what is in it', async () => {
    for (const messageId of ['<same@x>', undefined]) {
      const given = { messageId, subject: `Twice ${messageId}`, text: 'Same', attachments: [await photo()] }
      const first = await mail(given)
      expect(await mail(given)).toEqual(first)
      expect(await query('select from photos where incident_id = $1', [first.incidentId])).toHaveLength(1)
    }
  })

  it('is made once when eight come at the same time, and leaves no photo without an owner', async () => {
    const given = { messageId: '<eight@x>', subject: 'Eight', attachments: [await photo()] }
    const before = await count('incidents')
    const files = photoFiles()
    const answers = await Promise.all(Array.from({ length: 8 }, () => mail(given)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await count('incidents')).toBe(before + 1)
    expect(await query('select from photos where incident_id = $1', [answers[0].incidentId])).toHaveLength(1)
    expect(photoFiles()).toBe(files + 2)
  })

  it('is another one when the text or the sender differs, or its time has passed', async () => {
    const given = { messageId: undefined, subject: 'Differs', text: 'One' }
    const first = await mail(given)
    expect(await mail({ ...given, text: 'Two' })).not.toEqual(first)
    const known = { messageId: '<shared@x>', subject: 'Shared' }
    expect(await mail({ ...known, from: 'a@x.example' })).not.toEqual(
      await mail({ ...known, from: 'b@x.example' }),
    )
    const later = (time: string) =>
      query(`update inbound_messages set received_at = received_at - $1::interval`, [time])
    await later('9 minutes')
    expect(await mail(given)).toEqual(first)
    const named = { messageId: '<named@x>', subject: 'Named' }
    const before = await mail(named)
    await later('61 seconds')
    const second = await mail(given)
    expect(second).not.toEqual(first)
    expect(await mail(given)).toEqual(second)
    await later('23 hours 50 minutes')
    expect(await mail(named)).toEqual(before)
    await later('9 minutes')
    expect(await mail(named)).not.toEqual(before)
    expect(
      await query(`select from inbound_messages where received_at < now() - interval '24 hours'`),
    ).toEqual([])
  })
})

describe('what no person wrote', () => {
  it.each([
    [{ from: 'Our building <caretaker@house.example>' }, 'own_address'],
    [{ from: 'REPORTS+x@House.Example', headers: { 'Auto-Submitted': 'no' } }, 'own_address'],
    [{ messageId: `<${'aB-_4'.repeat(5)}aB@house.example>` }, 'own_mail'],
    [{ headers: { 'Message-ID': '<incident-5@HOUSE.example>' } }, 'own_mail'],
    [{ from: 'MAILER-DAEMON@mx.example' }, 'bounce'],
    [{ from: 'postmaster@mx.example', headers: { Subject: 'x' } }, 'bounce'],
    [{ subject: 'Automatic reply: [INC-1] Lift' }, 'automatic_reply'],
    [{ subject: 'Out of Office Re: [INC-1] Lift' }, 'automatic_reply'],
    [{ subject: 'Abwesenheitsnotiz: Aufzug' }, 'automatic_reply'],
    [{ subject: 'Respuesta automática: ascensor' }, 'automatic_reply'],
    [{ subject: 'Undelivered Mail Returned to Sender' }, 'bounce'],
    [{ subject: 'Undeliverable: [INC-1] Lift' }, 'bounce'],
    [{ headers: { 'auto-submitted': 'auto-replied' } }, 'automatic_reply'],
    [{ headers: { 'AUTO-SUBMITTED': ['auto-replied; owner-email="x@y.example"'] } }, 'automatic_reply'],
    [{ headers: { 'X-Autorespond': 'away' } }, 'automatic_reply'],
    [{ headers: { precedence: 'auto_reply' } }, 'automatic_reply'],
    [{ headers: { 'X-Autoreply': 'yes' } }, 'automatic_reply'],
    [{ headers: { 'Return-Path': '<>' } }, 'bounce'],
    [{ headers: { 'Content-Type': 'multipart/report; report-type=delivery-status' } }, 'bounce'],
    [{ headers: { 'X-Failed-Recipients': 'x@y.example' } }, 'bounce'],
    [{ headers: [{ name: 'Auto-Submitted', value: 'auto-replied' }] }, 'automatic_reply'],
  ])('%j is ignored: %s', async (given, reason) => {
    const before = await count('incidents')
    const answer = await mail({ subject: 'Lift', ...given })
    expect(answer).toEqual({ action: 'ignored', reason })
    expect(await count('incidents')).toBe(before)
    const [entry] = await query('select actor_type, via, action from audit_entries order by id desc limit 1')
    expect(entry).toEqual({ actor_type: 'system', via: 'email', action: 'mail.ignored' })
  })

  it.each([
    { subject: 'Automatic door is stuck' },
    { subject: 'Undelivered parcel in the lobby' },
    { subject: 'Office light out' },
    { from: 'Norbert Replyson <norbert.reply@x.example>' },
    { subject: 'Out of office', headers: { 'Auto-Submitted': 'no', Precedence: 'normal' } },
    { headers: { 'Auto-Submitted': 'No', 'Return-Path': '<ada@x.example>' } },
    { headers: { 'X-Auto-Response-Suppress': 'All' } },
    { headers: { 'AUTO-SUBMITTED': ['auto-generated'] } },
    { headers: { 'Auto-Submitted': 'auto-notified' } },
    { headers: { Precedence: 'bulk' } },
    {
      headers: { Precedence: 'list', 'List-Id': '<news.example>', 'List-Unsubscribe': '<https://x.example>' },
    },
    { from: 'no-reply@monitor.example' },
    { from: 'noreply-lift@monitor.example', headers: { 'Auto-Submitted': 'auto-generated' } },
    { from: 'bounces+1=2@list.example' },
    { messageId: '<incident-5@elsewhere.example>' },
    { messageId: '<short@house.example>' },
    { headers: 'nonsense' },
    { headers: {} },
  ])('%j is not', async (given) => {
    expect(await mail({ subject: 'Lift', ...given })).toMatchObject({ action: 'created' })
  })

  it('gets the same answer again, and leaves one entry', async () => {
    const given = { from: 'mailer-daemon@x.example', messageId: '<bounce@x>' }
    await mail(given)
    const before = await count('audit_entries')
    expect(await mail(given)).toEqual({ action: 'ignored', reason: 'bounce' })
    expect(await count('audit_entries')).toBe(before)
  })

  it('and is not marked at all makes at most five mails to each of us, however often it comes from one of us', async () => {
    const incidents = await count('incidents')
    const webhooks = await count('webhook_deliveries')
    const rounds = 2
    const acts: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const answers = Array.from({ length: 20 }, async () => {
        const json = {
          from: 'Away <resident@example.com>',
          subject: 'I am on a boat until spring',
          text: `${n++}`,
        }
        return app.ask('inbound', '/api/inbound-email', { json })
      })
      for (const answer of await Promise.all(answers))
        acts.push(answer.status === 503 ? 'refused' : (await answer.json()).action)
    }
    const taken = acts.filter((action) => action === 'created').length
    expect([taken, acts.length]).toEqual([hourlyEmails.claimed, 20 * rounds])
    await idle()
    expect(await count('incidents')).toBe(incidents + taken)
    expect(await count('webhook_deliveries')).toBe(webhooks + taken)
    const told = await query<{ n: number }>(
      `select count(*) as n from outbox where incident_id in
         (select id from incidents where title = 'I am on a boat until spring') group by kind, recipient_id`,
    )
    expect(told.length).toBeGreaterThan(0)
    for (const { n } of told) expect(n).toBeLessThanOrEqual(5)
  }, 900_000)
})

describe('what is attached', () => {
  it('becomes photos with thumbnails', async () => {
    const { incidentId } = await mail({
      subject: 'Two',
      attachments: [await photo('a.jpg'), await photo('b.png', '#00f')],
    })
    const { photos, updates } = await detail(incidentId)
    expect(photos).toHaveLength(2)
    expect(updates).toEqual([])
    for (const path of [photos[0].path, `${photos[0].path}.thumb.jpg`]) {
      const answer = await app.ask('guest', `/api/photos/${path}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    }
  })

  it('and cannot be a photo is named, and the mail is kept', async () => {
    const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0heicmif1')])
    const attachments = [
      { filename: 'IMG_1.HEIC', contentBase64: base64(heic), contentType: 'image/jpeg' },
      {
        filename: 'x.svg',
        contentBase64: base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
        contentType: 'image/svg+xml',
      },
      { filename: 'bad.jpg', contentBase64: '!!!', contentType: 'image/jpeg' },
      { filename: 'huge.jpg', contentBase64: 'A'.repeat(16_000_000), contentType: 'image/jpeg' },
      { filename: `../../etc/\r\n\0${'n'.repeat(300)}`, contentBase64: '' },
      { filename: 5, contentBase64: { a: 1 } },
      null,
      'x',
      await photo('good.jpg'),
    ]
    const { incidentId } = await mail({ subject: 'Attached', attachments })
    const { photos, updates } = await detail(incidentId, 'board')
    expect(photos).toHaveLength(1)
    expect(updates).toHaveLength(1)
    expect(updates[0]).toMatchObject({ authorName: 'System', newStatus: null, via: 'email' })
    for (const who of ['guest', 'resident', 'mobile'] as const) {
      expect((await detail(incidentId, who)).updates[0].body).toBe('We couldn’t save 8 attachments.')
      expect(await (await app.ask(who, `/incidents/${incidentId}`)).text()).not.toMatch(/HEIC|x\.svg|huge/)
    }
    expect(updates[0].body).toContain(
      `IMG_1.HEIC, x.svg, bad.jpg, huge.jpg, ../../etc/ ${'n'.repeat(89)}, ?, ?, ?.`,
    )
    expect(updates[0].body).not.toContain('good.jpg')
  })

  it('sixty times is five photos and a list that ends', async () => {
    const one = await photo()
    const attachments = Array.from({ length: 60 }, (_, i) => ({ ...one, filename: `p${i}.jpg` }))
    const { incidentId } = await mail({ subject: 'Sixty', attachments })
    const { photos, updates } = await detail(incidentId, 'manager')
    expect(photos).toHaveLength(5)
    expect(updates[0].body).toContain('p5.jpg, p6.jpg')
    expect(updates[0].body).toContain('p24.jpg and 35 more')
  })

  it('and cannot be stored today is named, and the mail is kept', async () => {
    const away = `${config.photoDir}.away`
    if (existsSync(config.photoDir)) renameSync(config.photoDir, away)
    writeFileSync(config.photoDir, '')
    const id = await anIncident()
    const answer = await mail({
      subject: `[INC-${id}]`,
      text: 'Look',
      attachments: [await photo('look.jpg')],
    })
    rmSync(config.photoDir)
    if (existsSync(away)) renameSync(away, config.photoDir)
    expect(answer).toEqual({ action: 'appended', incidentId: id })
    const { photos, updates } = await detail(id, 'manager')
    expect(photos).toEqual([])
    expect(updates.map(({ body }: { body: string }) => body)).toEqual([
      expect.stringMatching(/^Look\n\n.*We couldn’t save: look\.jpg/),
    ])
  })

  it('and breaks everything is left out, and the mail is kept', async () => {
    await asOwner(
      `create function break_photos() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
       create trigger broken before insert on photos for each row execute function break_photos()`,
      app.url(),
    )
    const files = photoFiles()
    const { incidentId } = await mail({
      subject: 'Broken',
      text: 'Kept',
      attachments: [await photo('broken.jpg')],
    })
    await asOwner('drop trigger broken on photos', app.url())
    const { description, photos, updates } = await detail(incidentId, 'admin')
    expect([description, photos]).toEqual(['Kept', []])
    expect(updates[0].body).toContain('broken.jpg')
    expect(photoFiles()).toBe(files)
  })

  itInWholeRun('may make a mail of 60 MB', async () => {
    const junk = { filename: 'junk.bin', contentBase64: 'A'.repeat(12_000_000) }
    const { incidentId } = await mail({ subject: 'Large', attachments: [junk, junk, junk, junk, junk] })
    expect((await detail(incidentId)).updates).toHaveLength(1)
  })
})

describe('the door for mail', () => {
  const post = (who: Who, asked: Asked) => app.ask(who, '/api/inbound-email', { method: 'POST', ...asked })

  it('refuses a wrong key before it reads what comes', async () => {
    const { hostname, port } = new URL(app.origin())
    const socket = connect(Number(port), hostname)
    const size = 30_000_000
    let sent = 0
    let heard = ''
    const closed = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => (heard += chunk))
      socket.on('error', () => resolve())
      socket.on('close', () => resolve())
    })
    socket.write(
      `POST /api/inbound-email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.CRON_SECRET}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    )
    const chunk = Buffer.alloc(65_536, 0x20)
    while (sent < size && heard === '' && !socket.destroyed) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed])
      sent += chunk.length
    }
    await closed
    expect(heard).toMatch(/^HTTP\/1\.1 401 /)
    expect(heard).toMatch(/connection: close/i)
    expect(sent).toBeLessThan(size / 2)
  })

  it.each([
    ['not JSON', { body: '{"from": ', headers: { 'content-type': 'application/json' } }, 400],
    ['a list', { json: [] }, 400],
    ['a text', { body: '"x"', headers: { 'content-type': 'application/json' } }, 400],
    ['no sender', { json: { subject: 'x' } }, 422],
    ['a sender that is no text', { json: { from: 5 } }, 422],
    ['a subject that is no text', { json: { from: 'a@b.example', subject: {} } }, 422],
    ['attachments that are no list', { json: { from: 'a@b.example', attachments: 'x' } }, 422],
    ['another type', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ])('refuses %s', async (_what, asked, status) => {
    const answer = await post('inbound', asked)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  it('takes a mail of nothing but a sender, and fields it does not know', async () => {
    const answer = await post('inbound', {
      json: { from: 'bare@b.example', whatever: { a: 1 }, attachments: null },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ action: 'created' })
  })

  itInWholeRun('refuses what is larger than any mail, compressed or not, and goes on', async () => {
    const large = gzipSync(`{"from": "${' '.repeat(90_000_000)}"}`)
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await post('inbound', { body: large, headers })).status).toBe(413)
    expect(await mail({ subject: 'After' })).toMatchObject({ action: 'created' })
  })

  it('lets a large mail pass after the sender of another one hung up', async () => {
    const { hostname, port } = new URL(app.origin())
    const sockets = Array.from({ length: 3 }, () => connect(Number(port), hostname))
    const heard = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.write(
        `POST /api/inbound-email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.INBOUND_EMAIL_SECRET}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n',
      )
    }
    for (const [answer] of await Promise.all(heard)) expect(String(answer)).toMatch(/^HTTP\/1\.1 100 /)
    await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write('{"from": "', sent))))
    for (const socket of sockets) socket.destroy()
    expect(await mail({ subject: 'x'.repeat(2_000_000) })).toMatchObject({ action: 'created' })
  })

  it('lets large mails pass while senders of others take their time, and takes those in the end', async () => {
    const { hostname, port } = new URL(app.origin())
    const text = JSON.stringify({ from: 'slow@b.example', subject: 'Slow', text: 'x'.repeat(2_000_000) })
    const slow = ['identity', 'gzip'].map((encoding) => {
      const bytes = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text)
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /api/inbound-email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.INBOUND_EMAIL_SECRET}\r\n` +
          `Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      )
      socket.write(bytes.subarray(0, 500))
      const answered = new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(chunk.toString())),
      )
      return { socket, answered, rest: bytes.subarray(500) }
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const subject of ['One', 'Another'])
      expect(await mail({ subject, text: 'x'.repeat(2_000_000) })).toMatchObject({ action: 'created' })
    for (const { socket, answered, rest } of slow) {
      socket.write(rest)
      expect(await answered).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    }
  })

  it('leaves no file of a large mail behind, whatever became of it', async () => {
    await mail({ subject: 'Kept', text: 'x'.repeat(2_000_000) })
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await post('inbound', { body: gzipSync('{"from": "a@b.example"}').subarray(0, 20), headers })
    await post('inbound', { body: Buffer.alloc(2_000_000, 'x'), headers })
    await eventually(() => expect(readdirSync(config.uploadDir)).toEqual([]))
  })
})
