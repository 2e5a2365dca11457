import { readdirSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { emailLimits } from '../../src/inbound/limits.js'
import { query } from '../../src/platform/db/database.js'
import { idle } from '../../src/platform/outbox/outbox.js'
import { config } from '../../src/platform/process/config.js'
import { asOwner } from '../support/database.js'
import { anHourLater, emailsAge } from '../support/email/receivedEmails.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { picture } from '../support/pictures.js'
import { count } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { office } = house

/** Each test has an hour of its own: what unknown senders made counts within one (decision 7.4). */
beforeEach(anHourLater)

describe('an email without a tag', () => {
  it('opens an untriaged incident', async () => {
    const answer = await house.emails({
      subject: 'Lift makes noise',
      text: 'Since this morning.\r\nVery loud.',
    })
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

  it('from the address of an account is followed by it, proven or not', async () => {
    config.email.authserv = 'mx.house.example'
    const { incidentId } = await house.emails({
      from: 'Nobody <George.Adeyemi@Example.com>',
      subject: 'From home',
      headers: { 'Authentication-Results': 'mx.house.example; dmarc=none header.from=example.com' },
    })
    config.email.authserv = null
    const [row] = await query(
      `select reporter_id, reporter_label, reporter_email, sender_proven,
         exists (select from followers f join users u on u.id = f.user_id
           where f.incident_id = i.id and u.email = 'george.adeyemi@example.com') as follows
       from incidents i where i.id = $1`,
      [incidentId],
    )
    expect(row).toEqual({
      reporterId: null,
      reporterLabel: null,
      reporterEmail: 'george.adeyemi@example.com',
      senderProven: false,
      follows: true,
    })
  })

  it.each([
    ['"Novak, Ada" <ada@secret.example>', 'ada@secret.example'],
    ['=?utf-8?B?QWTDqQ==?= <ada@secret.example>', 'ada@secret.example'],
    [`${'İ'.repeat(300)}@secret.example`, undefined],
    ['<<>>,;"', undefined],
  ])('from %j is by nobody to everybody; staff see the address', async (from, address) => {
    const { incidentId } = await house.emails({ from, subject: 'From' })
    await house.emails({ from, subject: `[INC-${incidentId}]`, text: 'More' })
    for (const who of ['guest', 'mobile', 'manager'] as const) {
      const seen = await detail(incidentId, who)
      expect([seen.reporterName, seen.updates[0].authorName]).toEqual(['By email', 'By email'])
      const shown = who === 'manager' ? address : undefined
      expect([seen.reporterEmail, seen.updates[0].authorEmail]).toEqual([shown, shown])
      for (const path of [`/incidents/${incidentId}`, '/incidents', '/api/incidents?limit=5']) {
        const text = await (await house.ask(who, path)).text()
        if (who !== 'manager') expect(text).not.toContain('secret.example')
        expect(text).not.toMatch(/Novak|Adé/)
      }
    }
    const page = await (await house.ask('manager', `/incidents/${incidentId}`)).text()
    if (address) expect(page).toContain(address)
  })

  it('of nothing but a sender and a field without words, and with fields we do not know, is taken in', async () => {
    for (const empty of [{ subject: '' }, { text: null }, { html: '' }]) {
      const json = { from: `bare${Object.keys(empty)[0]}@b.example`, whatever: { a: 1 }, attachments: null }
      const answer = await house.json('inbound', '/api/inbound-email', { json: { ...json, ...empty } })
      expect(answer).toMatchObject({ action: 'created' })
    }
  })

  it('keeps forwarded words, and loses the signature and what a reply to something unknown here quotes', async () => {
    const forwarded =
      'See below.\n\n---------- Forwarded message ----------\nFrom: Bob\n\n> the lift is stuck'
    const reply = 'It is stuck again.'
    for (const [subject, text, words] of [
      ['Fwd: lift', `${forwarded}\n-- \nAda\n+49 170 1`, 'See below.\n\nBob\n\n> the lift is stuck'],
      [
        'RE: lift',
        `${reply}\n\nOn Mon, Nov 16, 2026 at 10:00 AM Bob <b@x.example> wrote:\n> call me\n`,
        reply,
      ],
    ]) {
      const { incidentId } = await house.emails({ subject, text })
      expect((await detail(incidentId)).description).toBe(words)
    }
  })

  it.each(['\0\u0001', undefined])('and without a subject (%j) has a title all the same', async (subject) => {
    const { incidentId } = await house.emails({ subject })
    expect((await detail(incidentId)).title).toBe('(no subject)')
  })

  it('is cleaned and cut, whatever is in it', async () => {
    const { incidentId } = await house.emails({
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
})

describe('an email with a tag', () => {
  it('is appended with its new words, photos and author, and changes nothing else', async () => {
    const id = await house.report()
    const text =
      'Still stuck.\n\nSent from my iPhone\n\n> On 16 Nov 2026, at 10:00, Our building <reports@house.example> wrote:\n>\n> Call Tomasz: 0170 1\n'
    const answer = await house.emails({ subject: `Re: [INC-${id}] Case`, text, attachments: [await photo()] })
    expect(answer).toEqual({ action: 'appended', incidentId: id })
    const incident = await detail(id)
    expect(incident.updates).toEqual([
      {
        id: expect.any(Number),
        authorName: 'By email',
        body: 'Still stuck.\n\nSent from my iPhone',
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
    expect(entry).toEqual({ actorType: 'system', via: 'email', action: 'incident.commented' })
  })

  it('from the address of an account has none of its rights', async () => {
    const id = await house.report()
    await house.emails({
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

  it('for a verified incident is added and reopens nothing', async () => {
    const id = await house.report()
    await office.sets(id, 'verified', 'Done')
    expect(await house.emails({ subject: `[INC-${id}]` })).toEqual({ action: 'appended', incidentId: id })
    expect(await detail(id)).toMatchObject({ status: 'verified', updates: [{}, { newStatus: null }] })
  })

  it('and nothing new in it says so, or shows its photos', async () => {
    const id = await house.report()
    const text = 'On Mon, Bob <bob@secret.example> wrote:\n> everything\n> you know\n'
    await house.emails({ subject: `[INC-${id}]`, text })
    await house.emails({ subject: `[INC-${id}]`, text: '', attachments: [await photo()] })
    const { updates, photos } = await detail(id)
    expect(updates.map(({ body }: { body: string }) => body)).toEqual([
      'Replied by email with no new text.',
      'Sent by email.',
    ])
    expect(photos).toHaveLength(1)
  })
})

describe('the same email again', () => {
  const from = 'Ada Novak <ada@elsewhere.example>'

  it('gets the first answer, by its message id or by what is in it', async () => {
    for (const messageId of ['<same@x>', undefined]) {
      const given = {
        from,
        messageId,
        subject: `Twice ${messageId}`,
        text: 'Same',
        attachments: [await photo()],
      }
      const first = await house.emails(given)
      expect(await house.emails(given)).toEqual(first)
      expect(await query('select from photos where incident_id = $1', [first.incidentId])).toHaveLength(1)
    }
  })

  it('is made once when eight come at the same time, and leaves no photo without an owner', async () => {
    const given = { from, messageId: '<eight@x>', subject: 'Eight', attachments: [await photo()] }
    const before = await count('incidents')
    const files = photoFiles()
    const answers = await Promise.all(Array.from({ length: 8 }, () => house.emails(given)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await count('incidents')).toBe(before + 1)
    expect(await query('select from photos where incident_id = $1', [answers[0].incidentId])).toHaveLength(1)
    expect(photoFiles()).toBe(files + 2)
  })

  it('is another one when the text or the sender differs, or its time has passed', async () => {
    const given = { from, messageId: undefined, subject: 'Differs', text: 'One' }
    const first = await house.emails(given)
    expect(await house.emails({ ...given, text: 'Two' })).not.toEqual(first)
    const known = { messageId: '<shared@x>', subject: 'Shared' }
    expect(await house.emails({ ...known, from: 'a@x.example' })).not.toEqual(
      await house.emails({ ...known, from: 'b@x.example' }),
    )
    await emailsAge('9 minutes')
    expect(await house.emails(given)).toEqual(first)
    const named = { from, messageId: '<named@x>', subject: 'Named' }
    const before = await house.emails(named)
    await emailsAge('61 seconds')
    const second = await house.emails(given)
    expect(second).not.toEqual(first)
    expect(await house.emails(given)).toEqual(second)
    await emailsAge('23 hours 50 minutes')
    expect(await house.emails(named)).toEqual(before)
    await emailsAge('9 minutes')
    expect(await house.emails(named)).not.toEqual(before)
    expect(await query(`select from inbound_emails where received_at < now() - interval '24 hours'`)).toEqual(
      [],
    )
  })
})

describe('what no person wrote', () => {
  it.each([{ headers: 'nonsense' }, { from: 'bounces+1=2@list.example', headers: { Precedence: 'bulk' } }])(
    'may look like it and is taken in: %j',
    async (given) => {
      expect(await house.emails({ subject: 'Lift', ...given })).toMatchObject({ action: 'created' })
    },
  )

  it('gets the same answer again, and leaves one entry', async () => {
    const given = { from: 'mailer-daemon@x.example', messageId: '<bounce@x>' }
    await house.emails(given)
    const before = await count('audit_entries')
    expect(await house.emails(given)).toEqual({ action: 'ignored', reason: 'bounce' })
    expect(await count('audit_entries')).toBe(before)
  })

  it('and is not marked at all makes at most twenty reports an hour, five emails to each of us', async () => {
    const incidents = await count('incidents')
    const most = emailLimits.hourOfDomain.most.unproven
    const subject = 'I am on a boat until spring'
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        house.emails({ from: 'Away <resident@example.com>', subject, text: `${i}` }),
      ),
    )
    expect(answers.filter(({ action }) => action === 'created')).toHaveLength(most)
    await idle()
    expect(await count('incidents')).toBe(incidents + most)
    const notified = await queryAfterFanOut<{ n: number }>(
      `select count(*) as n from outbox where incident_id in
         (select id from incidents where title = $1) group by kind, recipient_id`,
      [subject],
    )
    expect(notified.length).toBeGreaterThan(0)
    for (const { n } of notified) expect(n).toBeLessThanOrEqual(5)
  })
})

describe('what is attached', () => {
  it('and cannot be a photo is named, and the email is kept', async () => {
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
    const { incidentId } = await house.emails({ subject: 'Attached', attachments })
    const { photos, updates } = await detail(incidentId, 'board')
    expect(photos).toHaveLength(1)
    expect(updates).toHaveLength(1)
    expect(updates[0]).toMatchObject({ authorName: 'System', newStatus: null, via: 'email' })
    expect((await detail(incidentId)).updates[0].body).toBe('We couldn’t save 8 attachments.')
    expect(await (await house.ask('guest', `/incidents/${incidentId}`)).text()).not.toMatch(
      /HEIC|x\.svg|huge/,
    )
    const unreadable = '(we couldn’t read it)'
    expect(updates[0].body).toBe(
      `We didn’t save: IMG_1.HEIC ${unreadable}, x.svg (not a photo), bad.jpg ${unreadable}, ` +
        `huge.jpg (larger than 10 MB), ../../etc/ ${'n'.repeat(89)} ${unreadable}, ` +
        `? ${unreadable}, ? ${unreadable}, ? ${unreadable}.`,
    )
    expect(updates[0].body).not.toContain('good.jpg')
  })

  it('sixty times is five photos and a list that ends', async () => {
    const one = await photo()
    const attachments = Array.from({ length: 60 }, (_, i) => ({ ...one, filename: `p${i}.jpg` }))
    const { incidentId } = await house.emails({ subject: 'Sixty', attachments })
    const { photos, updates } = await detail(incidentId, 'manager')
    expect(photos).toHaveLength(5)
    expect(updates[0].body).toContain('p5.jpg (we keep 5 photos of an email), p6.jpg')
    expect(updates[0].body).toMatch(/p24\.jpg \([^)]+\) and 35 more/)
  })

  it('and breaks everything is left out, and the email is kept', async () => {
    await asOwner(
      `create function break_photos() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
       create trigger broken before insert on photos for each row execute function break_photos()`,
      house.url(),
    )
    const files = photoFiles()
    const { incidentId } = await house.emails({
      subject: 'Broken',
      text: 'Kept',
      attachments: [await photo('broken.jpg')],
    })
    await asOwner('drop trigger broken on photos', house.url())
    const { description, photos, updates } = await detail(incidentId, 'admin')
    expect([description, photos]).toEqual(['Kept', []])
    expect(updates[0].body).toContain('broken.jpg')
    expect(photoFiles()).toBe(files)
  })
})

function detail(id: number, who: Who = 'guest') {
  return house.json(who, `/api/incidents/${id}`)
}

/** Photos and thumbnails in the store. */
function photoFiles() {
  return readdirSync(config.photoDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jpg'),
  ).length
}

function base64(bytes: Buffer) {
  return bytes.toString('base64')
}

async function photo(filename = 'photo.jpg', colour?: string) {
  return {
    filename,
    contentType: 'image/jpeg',
    contentBase64: base64(await picture('jpeg', colour)),
  }
}
