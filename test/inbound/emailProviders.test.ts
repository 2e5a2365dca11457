import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { messageKey, messageNameOf } from '../../src/vocabulary/email/messageName.js'
import { emailHostOf } from '../../src/vocabulary/email/ownEmail.js'
import { checkout } from '../support/compiled.js'
import { type Arriving, arrivingEmail, providers, raw } from '../support/email/providers.js'
import { anHourLater } from '../support/email/receivedEmails.js'
import type { Asked } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { picture } from '../support/pictures.js'
import { perRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
  process.env.INBOUND_AUTHSERV_ID = 'mx.house.example'
})

const house = useHouse()
const door = '/api/inbound-email'

beforeEach(anHourLater)

const tried = perRun({ quick: { every: 4 }, whole: Object.keys(providers) })

describe.each(tried)('an email brought by %s', (provider) => {
  const failed = ['Authentication-Results', 'mx.house.example; dmarc=fail header.from=example.com'] as const
  const from = 'Tomasz Zieliński <manager@example.com>'

  it('becomes a report with its sender, subject, words and photos, once', async () => {
    const attachments = [
      { filename: 'lift.jpg', bytes: await picture('jpeg', '#a01') },
      { filename: 'door "2".png', bytes: await picture('png', '#01a') },
    ].slice(0, provider.includes('raw') || provider === 'a whole email' ? 1 : 2)
    const email = arrivingEmail({ from, attachments, headers: [passed('example.com')] })
    const { status, said } = await arrives(provider, email)
    expect({ status, said }).toEqual({
      status: 200,
      said: { action: 'created', incidentId: expect.any(Number) },
    })
    const report = await detail(said.incidentId)
    expect(report).toMatchObject({
      title: email.subject,
      description: email.text,
      source: 'email',
      reporterEmail: 'manager@example.com',
      reporterName: renamesHeaders(provider) ? 'By email' : 'Tomasz Zieliński',
    })
    expect(report.photos).toHaveLength(attachments.length)
    const before = await stored()
    // The same email, told apart by its Message-ID alone.
    expect((await arrives(provider, { ...email, text: 'The same, cut by a list' })).said).toEqual(said)
    expect(await stored()).toEqual(before)
  })

  it('is read in HTML where it has no other words, and is no one’s when a verdict says so', async () => {
    const given = { from, text: '', html: '<p>The <b>door</b> is stuck.</p>' }
    const { said } = await arrives(
      provider,
      arrivingEmail({ ...given, headers: [failed, passed('example.com')] }),
    )
    const { description, reporterName } = await house.json('guest', `/api/incidents/${said.incidentId}`)
    expect([description, reporterName]).toEqual(['The door is stuck.', 'By email'])
  })

  it('joins its incident by the tag in its subject, or by what it answers; from a machine it is ignored', async () => {
    const { said } = await arrives(provider, arrivingEmail())
    const tagged = arrivingEmail({ subject: `Re: [INC-${said.incidentId}] Lift hums` })
    const answer = arrivingEmail({
      subject: 'Re: Lift',
      headers: [['In-Reply-To', ourMessage(said.incidentId)]],
    })
    for (const each of [tagged, answer])
      expect((await arrives(provider, each)).said).toEqual({ ...said, action: 'appended' })
    const { updates } = await detail(said.incidentId)
    expect(updates.map(({ body }: { body: string }) => body)).toEqual([tagged.text, answer.text])
    const automatic = arrivingEmail({ headers: [['Auto-Submitted', 'auto-replied']] })
    expect((await arrives(provider, automatic)).said).toEqual({
      action: 'ignored',
      reason: 'automatic_reply',
    })
  })
})

it('each provider has its row in docs/operate/email.md', () => {
  const guide = readFileSync(path.join(checkout, 'docs/operate/email.md'), 'utf8')
  const named = Object.keys(providers)
    .filter((each) => !each.startsWith('the contract'))
    .map((each) => each.split(',')[0]!)
  expect(named.filter((each) => !guide.includes(`\n| ${each} |`))).toEqual([])
})

const boundary = 'xYzZY'
const type = `multipart/form-data; boundary=${boundary}`

describe('a form of a provider', () => {
  it('is read in the character sets it names', async () => {
    const latin = Buffer.concat([
      Buffer.from('name="text"\r\n\r\n'),
      Buffer.from('El ascensor está parado, señora', 'latin1'),
    ])
    const fields = [
      field('from', 'ada@elsewhere.example'),
      field('subject', 'Latin'),
      field('charsets', '{"text": "iso-8859-1", "subject": "no-such-set"}'),
    ]
    const answer = await house.ask('inbound', door, posted(form(...fields, latin)))
    expect((await detail((await answer.json()).incidentId)).description).toBe(
      'El ascensor está parado, señora',
    )
  })

  it('keeps names, line ends, and bytes that look like a boundary', async () => {
    const text = `first\r\n--${boundary.slice(0, -1)}\r\n--\r\nlast`
    const parts = [
      field('from', 'ada@elsewhere.example'),
      field('subject', 'Edges'),
      field('text', text),
      field('to', 'x'),
    ]
    const answer = await house.ask('inbound', door, posted(form(...parts)))
    expect((await detail((await answer.json()).incidentId)).description).toBe(text.replaceAll('\r\n', '\n'))
  })

  it('with a field twice is refused, and needs none but a sender', async () => {
    const twice = await house.ask(
      'inbound',
      door,
      posted(
        form(
          field('from', 'first@elsewhere.example'),
          field('from', 'second@elsewhere.example'),
          field('text', 'x'),
        ),
      ),
    )
    expect([twice.status, Object.keys((await twice.json()).errors)]).toEqual([422, ['from']])
    const fields = await house.ask('inbound', door, {
      form: { sender: 'third@elsewhere.example', plain: 'x', attachments: '0' },
    })
    expect((await detail((await fields.json()).incidentId)).reporterEmail).toBe('third@elsewhere.example')
  })
})

const whole = raw({ from: 'a@b.example', subject: 'x', text: 'x', messageId: '<x@y>', headers: [] })
/** Bodies that bring no email, each with its status and the field the answer names. */
const refused: [string, Asked, number, string?][] = [
  ['a list', { json: [] }, 400],
  ['JSON with attachments that are no list', { json: { from: 'a@b.example', attachments: 'x' } }, 422],
  ['JSON of another webhook', { json: { Type: 'SubscriptionConfirmation', TopicArn: 'x' } }, 422, 'from'],
  ['JSON with headers that are none', { json: { headers: '[not json', plain: 'x' } }, 422, 'from'],
  ['JSON with headers of numbers', { json: { Headers: [1, null, [2], { Name: 3 }] } }, 422, 'from'],
  ['a form without a sender', posted(form(field('subject', 'x'), field('text', 'x'))), 422, 'from'],
  ['simple fields without a sender', { form: { subject: 'x' } }, 422, 'from'],
  ['a form that is cut off', posted(form(field('from', 'a@b.example')).subarray(0, -8)), 400],
  ['a form without a boundary', posted(form(field('from', 'a@b.example')), 'multipart/form-data'), 400],
  ['a form of another boundary', posted(form(field('from', 'a@b.example')), `${type}x`), 400],
  ['an empty form', posted(''), 422, 'from'],
  ['a whole email without one', posted(whole.replace(/^From: .*\r\n/m, ''), 'message/rfc822'), 422, 'from'],
  ['a form with a whole email without one', posted(form(field('email', 'Subject: x\r\n\r\nx'))), 422, 'from'],
  ['JSON with other names', { json: { from: 'a@b.example', body_plain: 'x', body_html: 'x' } }, 422, 'text'],
  ['a form with other names', { form: { from: 'a@b.example', message: 'x' } }, 422, 'text'],
  ['nothing but a sender', { json: { from: 'a@b.example' } }, 422, 'text'],
  ['a list of no events', { form: { mandrill_events: '[]' } }, 422, 'text'],
  [
    'events that are no emails',
    { form: { mandrill_events: '[{"event":"send","msg":{"email":"x"}}]' } },
    422,
    'text',
  ],
  ['an empty list of items', { json: { items: [] } }, 422, 'text'],
  ['another kind of multipart', posted('--x--', 'multipart/mixed; boundary=x'), 415],
  ['plain text', posted('From: a@b.example', 'text/plain'), 415],
]

describe('what brings no email', () => {
  it.each(refused)('is refused and changes nothing: %s', async (_what, asked, status, named) => {
    const before = await stored()
    const answer = await house.ask('inbound', door, asked)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({
      status,
      ...(named ? { errors: { [named]: [expect.any(String)] } } : {}),
    })
    expect(await stored()).toEqual(before)
  })
})

describe('the credential of a provider that knows names and passwords only', () => {
  const as = (
    pair: string,
    asked: Asked = { json: { from: 'ada@elsewhere.example', text: `Basic ${crypto.randomUUID()}` } },
  ) => ({
    ...asked,
    headers: { authorization: `Basic ${btoa(pair)}` },
  })
  const secret = keys.INBOUND_EMAIL_SECRET

  it('is the secret as the password, with any name, and nothing else', async () => {
    for (const name of ['', 'postmark'])
      expect((await house.ask('guest', '/api/inbound-email', as(`${name}:${secret}`))).status).toBe(200)
    const before = await stored()
    for (const pair of [`${secret}:`, secret, 'caretaker:guess', `x:x:${secret}`, `x:${keys.CRON_SECRET}`])
      expect((await house.ask('guest', '/api/inbound-email', as(pair))).status, pair).toBe(401)
    expect(await stored()).toEqual(before)
  })

  it('opens nothing else, and no other key is taken so', async () => {
    const doors = [
      ['/api/status', secret, {}] as const,
      ['/api/admin/users', secret, {}] as const,
      ['/api/cron/sweep', keys.CRON_SECRET, { json: {} }] as const,
      ['/api/incidents', keys.MOBILE_API_KEY, { json: {} }] as const,
      ['/metrics', keys.METRICS_TOKEN, {}] as const,
    ]
    for (const [path, key, asked] of doors)
      expect((await house.ask('guest', path, as(`caretaker:${key}`, asked))).status, path).toBe(401)
  })
})

function passed(domain: string) {
  return [
    'Authentication-Results',
    `mx.house.example; spf=pass smtp.mailfrom=${domain}; dmarc=pass header.from=${domain}`,
  ] as const
}

async function arrives(provider: keyof typeof providers, email: Arriving) {
  const answer = await house.ask('inbound', door, providers[provider]!(email))
  return { status: answer.status, said: await answer.json() }
}

/** The Message-ID of an email of ours about an incident. */
function ourMessage(incidentId: number) {
  const email = { id: 7, createdAt: new Date(), incidentId, contactId: null }
  const name = messageNameOf(messageKey(config.sessionSecret), email)
  return `<${name}@${emailHostOf(config.publicUrl, config.email.from)}>`
}

function detail(id: number) {
  return house.json('manager', `/api/incidents/${id}`)
}

async function stored() {
  return (
    await query(`select (select count(*) from incidents) as incidents,
        (select count(*) from incident_updates) as updates,
      (select count(*) from inbound_emails) as emails, (select count(*) from held_emails) as held,
      (select count(*) from photos) as photos, (select count(*) from audit_entries) as acts`)
  )[0]
}

/**
 * Its header with the verdict has another name, under which a sender may have
 * written it (decision 9.3).
 */
function renamesHeaders(provider: string) {
  return provider.startsWith('CloudMailin')
}

/** A form as bytes, part by part. */
function form(...parts: (string | Buffer)[]) {
  return Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; `),
      Buffer.from(part),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

function field(name: string, value: string) {
  return `name="${name}"\r\n\r\n${value}`
}

function posted(body: Buffer | string, contentType = type): Asked {
  return {
    body: body as never,
    headers: { 'content-type': contentType },
  }
}
