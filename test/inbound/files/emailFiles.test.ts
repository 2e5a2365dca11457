import sharp from 'sharp'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { heldEmail } from '../../support/email/heldEmails.js'
import { attached, multipart, textPart } from '../../support/email/mimeParts.js'
import { anHourLater } from '../../support/email/receivedEmails.js'
import type { Asked } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { decodeWithoutLibheif } from '../../support/photos/decoders.js'
import { sample } from '../../support/photos/samples.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
let n = 0

beforeEach(anHourLater)

describe('a picture that the HTML shows', () => {
  it('is no photo when it is a logo, and pushes no attachment out', async () => {
    const logos = ['l1', 'l2', 'l3', 'l4', 'l5'].map(async (id, i) =>
      attached(`image00${i}.png`, await drawn(2 + 20 * i, 300), { id, type: 'image/png', how: 'inline' }),
    )
    const leak = attached('leak.jpg', await drawn(320, 240, 'jpeg'), { type: 'image/jpeg' })
    const related = multipart('related', html('l1', 'l2', 'l3', 'l4', 'l5'), ...(await Promise.all(logos)))
    const { id, photos, entries } = await wholeEmail(multipart('mixed', related, leak))
    expect(photos).toEqual([[320, 240]])
    expect(entries).toEqual([])
    expect(await filesOf(id)).toBe(undefined)
  })

  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('is no photo below 100 pixels, as %s', async (format) => {
    const logo = attached('logo', await drawn(400, 99, format), { id: 'a', how: 'inline' })
    const { photos, entries } = await wholeEmail(multipart('related', html('a'), logo))
    expect([photos, entries]).toEqual([[], []])
  })

  it('is a photo otherwise, as a screenshot is', async () => {
    const shot = attached('image.png', await drawn(640, 480), { id: 'shot', how: 'inline' })
    const { photos } = await wholeEmail(multipart('related', html('shot'), shot))
    expect(photos).toEqual([[640, 480]])
  })

  it('comes after the attachments, in their order', async () => {
    const inline = [1, 2, 3].map(async (i) =>
      attached(`i${i}.png`, await drawn(200 + i, 150), { id: `i${i}`, how: 'inline' }),
    )
    const files = [1, 2, 3].map(async (i) => attached(`f${i}.png`, await drawn(300 + i, 150)))
    const shown = multipart('related', html('i1', 'i2', 'i3'), ...(await Promise.all(inline)))
    const { id, photos, entries } = await wholeEmail(multipart('mixed', shown, ...(await Promise.all(files))))
    expect(photos).toEqual([301, 302, 303, 201, 202].map((width) => [width, 150]))
    expect(entries).toEqual(['We didn’t save: i3.png (we keep 5 photos of an email).'])
    expect(await filesOf(id)).toEqual([{ name: 'i3.png', why: 'too_many' }])
  })

  it('is known by its disposition where there is no HTML, and an attachment by its own', async () => {
    const small = await drawn(90, 90)
    const parts = [attached('inline.png', small, { how: 'inline' }), attached('attached.png', small)]
    const { photos } = await wholeEmail(multipart('mixed', textPart('text/plain', 'Hello'), ...parts))
    expect(photos).toEqual([[90, 90]])
  })
})

describe('providers name the Content-ID of a file', () => {
  const cases: Record<string, (logo: Buffer, photo: Buffer) => Asked> = {
    'in the contract': (logo, photo) => ({
      json: {
        ...asJson(),
        html: '<img src="cid:one@x">',
        attachments: [
          { filename: 'logo.png', contentBase64: logo.toString('base64'), contentId: '<one@x>' },
          { filename: 'a.png', contentBase64: photo.toString('base64') },
        ],
      },
    }),
    'as Postmark does': (logo, photo) => ({
      json: {
        From: 'jo@home.example',
        Subject: `Leak ${n}`,
        MessageID: `${n}`,
        HtmlBody: '<img src="cid:one@x">',
        Attachments: [
          { Name: 'logo.png', Content: logo.toString('base64'), ContentID: 'one@x' },
          { Name: 'a.png', Content: photo.toString('base64'), ContentID: 'two@x' },
        ],
      },
    }),
    'as CloudMailin does': (logo, photo) => ({
      json: {
        headers: { from: 'jo@home.example', subject: `Leak ${n}`, message_id: `<${n}@x>` },
        html: '<p>Hello</p>',
        attachments: [
          { file_name: 'logo.png', content: logo.toString('base64'), disposition: 'inline' },
          { file_name: 'a.png', content: photo.toString('base64'), disposition: 'attachment' },
        ],
      },
    }),
    'by its name in the HTML alone': (logo, photo) => ({
      json: {
        ...asJson(),
        html: '<img src="cid:logo.png@01DB2F00.5C000000">',
        attachments: [
          { filename: 'logo.png', contentBase64: logo.toString('base64') },
          { filename: 'a.png', contentBase64: photo.toString('base64') },
        ],
      },
    }),
    'as Mailgun does': (logo, photo) => ({
      body: form({ 'content-id-map': '{"<one@x>":"attachment-1"}' }, 'body-html', {
        'attachment-1': logo,
        'attachment-2': photo,
      }),
    }),
    'as SendGrid does': (logo, photo) => ({
      body: form({ 'content-ids': '{"one@x":"attachment2"}' }, 'html', {
        attachment1: photo,
        attachment2: logo,
      }),
    }),
    'as SendGrid does with what it knows of each file': (logo, photo) => ({
      body: form({ 'attachment-info': '{"attachment2":{"content-id":"one@x"},"attachment1":{}}' }, 'html', {
        attachment1: photo,
        attachment2: logo,
      }),
    }),
  }
  const asJson = () => ({ from: 'jo@home.example', subject: `Leak ${n}`, messageId: `<${n}@x>` })

  function form(fields: Record<string, string>, htmlField: string, files: Record<string, Buffer>): FormData {
    const body = new FormData()
    body.set('from', 'jo@home.example')
    body.set('subject', `Leak ${n}`)
    body.set('Message-Id', `<${n}@x>`)
    body.set(htmlField, '<img src="cid:one@x">')
    for (const [name, text] of Object.entries(fields)) body.set(name, text)
    for (const [name, bytes] of Object.entries(files))
      body.set(name, new File([new Uint8Array(bytes)], `${name}.png`, { type: 'image/png' }))
    return body
  }

  it.each(Object.entries(cases))('%s', async (_how, post) => {
    n += 1
    const { photos, entries } = await arrives(post(await drawn(80, 60), await drawn(400, 300)))
    expect([photos, entries]).toEqual([[[400, 300]], []])
  })
})

describe('an attached email', () => {
  const inner = (text: string, ...files: string[]) =>
    `From: Res Ident <res@x.example>\r\nSubject: Door\r\nMIME-Version: 1.0\r\n${multipart('mixed', textPart('text/plain', text), ...files)}`
  const covering = textPart('text/plain', 'Please see attached.')

  it.each([
    ['as an attachment', { type: 'message/rfc822' }],
    ['inline', { type: 'message/rfc822', how: 'inline' as const }],
    ['as a file of its own kind', { type: 'application/octet-stream' }],
  ])('is read below the covering text: %s', async (_how, part) => {
    const photo = attached('door.png', await drawn(300, 200))
    const outer = attached('outer.png', await drawn(310, 200))
    const email = attached('Door.eml', Buffer.from(inner('The front door does not lock.', photo)), part)
    const { text, photos, entries } = await wholeEmail(multipart('mixed', covering, email, outer))
    expect(text).toBe('Please see attached.\n\nRes Ident\n\nThe front door does not lock.')
    expect(photos).toEqual([
      [310, 200],
      [300, 200],
    ])
    expect(entries).toEqual([])
  })

  it('is read of a provider’s post as well, and in each other', async () => {
    n += 1
    const innermost = attached(
      'In.eml',
      Buffer.from(inner('Innermost words.', attached('p.png', await drawn(210, 200)))),
      {
        type: 'message/rfc822',
      },
    )
    const { text, photos, entries } = await arrives({
      json: {
        from: 'jo@home.example',
        subject: `Leak ${n}`,
        text: 'Please see attached.',
        messageId: `<${n}@x>`,
        attachments: [
          {
            filename: 'Door.eml',
            contentBase64: Buffer.from(inner('Outer words.', innermost)).toString('base64'),
          },
          { filename: 'no.eml', contentBase64: Buffer.from('no email').toString('base64') },
        ],
      },
    })
    expect(text).toMatch(/Please see attached\.[\s\S]*Outer words\.[\s\S]*Innermost words\./)
    expect(photos).toEqual([[210, 200]])
    expect(entries).toEqual(['We didn’t save: no.eml (we couldn’t read it).'])
  })

  it('is opened five deep, and named beyond', async () => {
    let email = Buffer.from(inner('Word 9.'))
    for (let depth = 8; depth >= 1; depth -= 1)
      email = Buffer.from(
        inner(`Word ${depth}.`, attached(`${depth}.eml`, email, { type: 'message/rfc822' })),
      )
    const { text, entries } = await wholeEmail(
      multipart('mixed', covering, attached('1.eml', email, { type: 'message/rfc822' })),
    )
    expect(text).toMatch(/Word 1\.[\s\S]*Word 5\./)
    expect(text).not.toContain('Word 6.')
    expect(entries).toEqual(['We didn’t save: 5.eml (we couldn’t read it).'])
  })
})

describe('what is not taken is named with why', () => {
  it('a document beside a photo', async () => {
    const pdf = attached('offer.pdf', Buffer.from('%PDF-1.7 …'), { type: 'application/pdf' })
    const winmail = attached('winmail.dat', Buffer.from('x9f>"'), { type: 'application/ms-tnef' })
    const cut = attached('cut.jpg', (await drawn(300, 200, 'jpeg')).subarray(0, 400))
    const photo = attached('photo.jpg', await drawn(300, 200, 'jpeg'))
    const { id, photos, entries } = await wholeEmail(
      multipart('mixed', textPart('text/plain', 'Here.'), pdf, winmail, cut, photo),
    )
    expect(photos).toEqual([[300, 200]])
    expect(entries).toEqual([
      'We didn’t save: offer.pdf (not a photo), winmail.dat (only Outlook can open it: send the email as HTML or plain text), cut.jpg (we couldn’t read it).',
    ])
    const guest = await house.json('guest', `/api/incidents/${id}`)
    expect(bodies(guest.updates)).toEqual(['We couldn’t save 3 attachments.'])
    expect(await filesOf(id)).toEqual([
      { name: 'offer.pdf', why: 'not_a_picture' },
      { name: 'winmail.dat', why: 'winmail' },
      { name: 'cut.jpg', why: 'unreadable' },
    ])
  })

  it('to the sender only the first twenty, with the number of the others', async () => {
    const files = Array.from({ length: 23 }, (_, i) =>
      attached(`${i}${'n'.repeat(300)}.pdf`, Buffer.from('%PDF')),
    )
    const { id } = await wholeEmail(multipart('mixed', textPart('text/plain', 'Here.'), ...files))
    const [row] = await query<{ payload: { notTaken: { name: string }[]; notTakenMore: number } }>(
      `select payload from outbox where incident_id = $1 and event = 'mail.received'`,
      [id],
    )
    const { notTaken, notTakenMore } = row!.payload
    expect([notTaken.length, notTakenMore]).toEqual([20, 3])
    expect(Math.max(...notTaken.map(({ name }) => name.length))).toBe(100)
  })

  it('once twenty pictures were tried, without decoding more', async () => {
    const cut = (await drawn(300, 200, 'jpeg')).subarray(0, 400)
    const good = await drawn(300, 200)
    const files = [...Array.from({ length: 20 }, () => cut), good]
    const { photos, entries } = await wholeEmail(
      multipart('mixed', ...files.map((bytes, i) => attached(`${i}.jpg`, bytes))),
    )
    expect(photos).toEqual([])
    expect(entries[0]).toContain('19.jpg (we couldn’t read it) and 1 more')
  })

  it('is kept with an ignored email so that the release before can read it', async () => {
    const ignored = await house.emails({
      subject: 'Out of Office: away',
      attachments: [
        { filename: 'a.pdf', contentBase64: Buffer.from('%PDF').toString('base64') },
        { filename: 'b.png', contentBase64: (await drawn(300, 200)).toString('base64') },
      ],
    })
    expect(ignored.action).toBe('ignored')
    const [row] = await query<{ skipped: unknown }>(
      'select skipped from held_emails order by id desc limit 1',
    )
    expect(row!.skipped).toEqual({
      refused: ['a.pdf'],
      later: ['b.png'],
      notTaken: [
        { name: 'a.pdf', why: 'not_a_picture' },
        { name: 'b.png', why: 'later' },
      ],
    })
  })

  it('also of a held email that the release before has written', async () => {
    const id = await heldEmail({ skipped: ['a.pdf'], later: ['b.jpg'] })
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [id] },
    })
    const { updates } = await house.json('manager', `/api/incidents/${incidentIds[0]}`)
    expect(bodies(updates)).toEqual([
      'We didn’t save: a.pdf (we couldn’t add it), b.jpg (we couldn’t save it just now: send it again).',
    ])
  })
})

describe('a HEIC photo', () => {
  const email = () =>
    multipart(
      'mixed',
      textPart('text/plain', 'From my phone.'),
      attached('IMG_0042.HEIC', sample('heic-with-thumbnail'), { type: 'image/heic' }),
    )

  it('is taken', async () => {
    const { photos, entries } = await wholeEmail(email())
    expect([photos, entries]).toEqual([[[320, 240]], []])
  })

  it('is named where the package for it is not installed', async () => {
    await decodeWithoutLibheif()
    const { id, photos, entries } = await wholeEmail(email())
    expect(photos).toEqual([])
    expect(entries).toEqual(['We didn’t save: IMG_0042.HEIC (HEIC isn’t supported here: send it as JPEG).'])
    expect(await filesOf(id)).toEqual([{ name: 'IMG_0042.HEIC', why: 'heic' }])
  })
})

function header() {
  return `From: Jo Doe <jo@home.example>\r\nTo: reports@house.example\r\nSubject: Leak ${n}\r\nMessage-ID: <${n}@home.example>\r\nMIME-Version: 1.0\r\n`
}

async function arrives(asked: Asked) {
  const answer = await house.json('inbound', '/api/inbound-email', asked)
  expect(answer).toMatchObject({ action: 'created' })
  const incident = await house.json('manager', `/api/incidents/${answer.incidentId}`)
  const photos = await query<{ width: number; height: number }>(
    'select width, height from photos where incident_id = $1 order by id',
    [answer.incidentId],
  )
  return {
    id: answer.incidentId,
    text: incident.description,
    photos: photos.map(({ width, height }) => [width, height]),
    entries: bodies(incident.updates),
  }
}

function bodies(updates: { body: string }[]): string[] {
  return updates.map(({ body }) => body)
}

/** A whole email, as an email server hands it on. */
function wholeEmail(body: string) {
  n += 1
  return arrives({ body: header() + body, headers: { 'content-type': 'message/rfc822' } })
}

/** What the sender is told of files, as it waits to be sent. */
async function filesOf(incidentId: number): Promise<unknown> {
  const rows = await query<{ payload: { notTaken?: unknown } }>(
    `select payload from outbox where incident_id = $1 and event = 'mail.received'`,
    [incidentId],
  )
  expect(rows).toHaveLength(1)
  return rows[0]!.payload.notTaken
}

function drawn(width: number, height: number, format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png') {
  return sharp({ create: { width, height, channels: 3, background: '#8090a0' } })
    .toFormat(format)
    .toBuffer()
}

function html(...ids: string[]) {
  return textPart('text/html', `<p>See photo</p>${ids.map((id) => `<img src="cid:${id}">`).join('')}`)
}
