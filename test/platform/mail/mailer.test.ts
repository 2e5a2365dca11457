import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeOldEmails } from '../../../src/platform/mail/emailFolder.js'
import { sendEmail } from '../../../src/platform/mail/mailer.js'
import { photoStore } from '../../../src/platform/photos/configuredStore.js'
import { newPhotoPath } from '../../../src/platform/photos/photoPath.js'
import { StoreUnavailable } from '../../../src/platform/photos/store.js'
import { config } from '../../../src/platform/process/config.js'
import { type DeliveryOutcome, type Email, reasonOf } from '../../../src/vocabulary/email/delivery.js'
import { certificate } from '../../support/certificate.js'
import { readRawEmail } from '../../support/email/mime.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

let folder: string

beforeEach(() => {
  folder = newFolder()
  const from = 'Caretaker <office@building.example>'
  Object.assign(config.email, { outboxDir: path.join(folder, 'outbox'), from })
})
afterEach(async () => {
  Object.assign(config.email, original)
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

describe('an email server elsewhere', () => {
  // Reaches this machine by an address that does not say so.
  const elsewhere = (query = '') => {
    config.email.smtpUrl = `${config.email.smtpUrl!.replace('127.0.0.1', '0.0.0.0')}${query}`
  }

  it('that offers no encryption gets nothing, and the email waits for a better one', async () => {
    for (const query of ['', '?ignoreTLS=true', '?opportunisticTLS=true', '?requireTLS=true']) {
      const received = await mailServer()
      elsewhere(query)
      expect(await sendEmail(letter)).toEqual({ as: 'retry', why: 'smtp without TLS' })
      expect(received).toEqual([])
    }
  })

  it('that somebody between it and us speaks for gets nothing, either', async () => {
    let heard = ''
    await rawServer((socket) => {
      socket.write('220 mail.example ESMTP\r\n')
      socket.on('data', (given) => {
        heard += given
        socket.write(/^EHLO/i.test(String(given)) ? '250 mail.example\r\n' : '250 ok\r\n')
      })
    })
    elsewhere()
    expect((await sendEmail(letter)).as).toBe('retry')
    expect(heard).not.toContain('MAIL FROM')
    expect(heard).not.toContain(letter.subject)
  })

  it('is believed without encryption only where its address says so', async () => {
    const received = await mailServer()
    elsewhere('?requireTLS=false')
    expect(await sendEmail(letter)).toEqual({ as: 'sent' })
    expect(received).toHaveLength(1)
  })

  it('may be on this machine without, unless its address asks for encryption', async () => {
    await mailServer()
    expect(await sendEmail(letter)).toEqual({ as: 'sent' })
    config.email.smtpUrl += '?requireTLS=true'
    expect(await sendEmail(letter)).toEqual({ as: 'retry', why: 'smtp without TLS' })
  })
})

describe('with an email server', () => {
  it('an email arrives with both bodies and every header as it was written', async () => {
    const received = await mailServer()
    expect(await sendEmail(letter)).toEqual({ as: 'sent' })
    const { header, text, html, headers } = readRawEmail(received[0]!)
    expect(header('Subject')).toBe(letter.subject)
    expect(header('To')).toBe('Siobhán Kelly <siobhan@example.com>')
    expect(header('From')).toBe('Larkspur Court <office@building.example>')
    expect(header('Reply-To')).toBe('reports@building.example')
    expect(header('Message-ID')).toBe('<42.abc@building.example>')
    expect(header('In-Reply-To')).toBe('<incident-7@building.example>')
    expect(header('References')).toBe('<incident-7@building.example>')
    expect(new Date(header('Date')).toISOString()).toBe('2026-11-21T07:00:00.000Z')
    for (const [name, value] of Object.entries(letter.headers)) expect(headers).toContainEqual([name, value])
    expect(text).toBe(letter.text)
    expect(html).toBe(letter.html)
  })

  it.each([
    ['451 after the text', { onData: refuseData(451) }, { as: 'retry', why: 'smtp 451' }],
    ['550 after the text', { onData: refuseData(550) }, { as: 'failed', why: 'smtp 550' }],
    ['450 for the recipient', { onRcptTo: refuseAddress(450) }, { as: 'retry', why: 'smtp 450' }],
    ['550 for the recipient', { onRcptTo: refuseAddress(550) }, { as: 'failed', why: 'smtp 550' }],
    [
      '550 for our sender',
      { onMailFrom: refuseAddress(550) },
      { as: 'retry', why: 'smtp sender refused 550' },
    ],
    ['554 as a greeting', { onConnect: refuseConnection(554) }, { as: 'retry', why: 'smtp 554' }],
    ['421 as a greeting', { onConnect: refuseConnection(421) }, { as: 'retry', why: 'smtp 421' }],
  ] satisfies [string, SMTPServerOptions, unknown][])(
    '%s ends as it should, in our words',
    async (_what, options, expected) => {
      await mailServer(options)
      const outcome = await sendEmail(letter)
      expect(outcome).toMatchObject(expected)
      // For the log: the server's words, in which it quotes people.
      expect(JSON.stringify(outcome)).not.toContain(letter.to.address)
    },
  )

  it('one bad recipient of five keeps nobody else from their email', async () => {
    const received = await mailServer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('three') ? refusing(550) : null),
    })
    const people = ['one', 'two', 'three', 'four', 'five']
    const outcomes = await Promise.all(
      people.map((name) => sendEmail({ ...letter, to: { name, address: `${name}@example.com` } })),
    )
    expect(outcomes.map(({ as }) => as)).toEqual(['sent', 'sent', 'failed', 'sent', 'sent'])
    expect(received.length).toBe(4)
  })

  const badServers: [string, (socket: Socket) => unknown][] = [
    ['hangs up at once', (socket) => socket.destroy()],
    ['speaks another language', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ]
  it.each([...badServers, ['says nothing', () => {}] satisfies (typeof badServers)[0]])(
    'a server that %s is left after a while, and the email is for later',
    async (_what, onConnection) => {
      await rawServer(onConnection)
      const began = performance.now()
      expect(await sendEmail(letter, {}, { connect: 300, text: 1_000, answer: 1_000 })).toMatchObject({
        as: 'retry',
        why: expect.stringMatching(/^smtp (E[A-Z]+|no answer|connection lost)$/),
      })
      expect(performance.now() - began).toBeLessThan(5_000)
    },
  )

  it.each(['', 'nobody', 'a@b, c@d', 'a@b\r\nDATA', '<a@b>', 'a b@c', '"a"@b', 'a@b>'])(
    'what is no single address (%j) goes nowhere',
    async (address) => {
      const received = await mailServer()
      expect(await sendEmail({ ...letter, to: { name: 'x', address } })).toEqual({
        as: 'failed',
        why: 'no address',
      })
      expect(received).toEqual([])
    },
  )
})

/**
 * An email to a server with these answers alone, stopped when the server has
 * heard what it never answers.
 */
async function stoppedAt(answers: [RegExp, string][], last: RegExp): Promise<DeliveryOutcome> {
  const stop = new AbortController()
  await rawServer((socket) => {
    socket.write('220 here\r\n')
    // The final dot is written by itself, and may arrive so.
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
      const answer = answers.find(([command]) => command.test(heard))
      if (answer) {
        heard = ''
        socket.write(answer[1])
      } else if (last.test(heard)) stop.abort()
    })
  })
  return sendEmail(letter, { stop: stop.signal })
}

describe('an email with photos', () => {
  const withPhoto = () => ({ ...letter, photos: [newPhotoPath()] })
  const open = vi.spyOn(photoStore, 'open')
  afterEach(() => open.mockReset())
  afterAll(() => open.mockRestore())

  it.each([
    ['the photo store is away', () => open.mockRejectedValue(new StoreUnavailable())],
    ['a photo breaks off', () => open.mockResolvedValue({ size: 9, stream: Readable.from(brokenPhoto()) })],
  ])('waits while %s', async (_what, fail) => {
    const received = await mailServer()
    fail()
    expect(await sendEmail(withPhoto())).toEqual({ as: 'retry', why: 'photo store away' })
    expect(received).toEqual([])
  })

  it('does not say that the store is away for a fault of ours', async () => {
    await mailServer()
    open.mockRejectedValue(new TypeError('stored is not a function'))
    await expect(sendEmail(withPhoto())).rejects.toThrow(TypeError)
  })

  async function* brokenPhoto() {
    yield Buffer.from('half')
    throw Object.assign(new Error('read'), { code: 'EIO' })
  }
})

describe('why an email waits', () => {
  /** The reason, and that the code of it says the same again when it is read from the outbox. */
  const reason = async () => {
    const outcome = await sendEmail(letter)
    expect(outcome).toMatchObject({ as: 'retry' })
    return reasonOf((outcome as { why: string }).why)
  }

  it('is told apart by what an operator would mend', async () => {
    const found: Record<string, string> = {}
    await rawServer(() => {})
    await cleanups.pop()!()
    found.closed = await reason()
    config.email.smtpUrl = 'smtp://mail.building.invalid:25'
    found.unknown = await reason()
    await mailServer({ disabledCommands: [], ...certificate })
    config.email.smtpUrl += '?requireTLS=true'
    found.selfSigned = await reason()
    await mailServer({ secure: true, ...certificate })
    config.email.smtpUrl = config.email.smtpUrl!.replace('smtp:', 'smtps:')
    found.selfSignedAtOnce = await reason()
    await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_given, _session, done) => done(refusing(535)),
    })
    config.email.smtpUrl = config.email.smtpUrl!.replace('//', '//building:wrong@')
    found.wrongPassword = await reason()
    await mailServer({ onMailFrom: refuseAddress(553) })
    found.wrongSender = await reason()
    await mailServer({ onRcptTo: refuseAddress(452) })
    found.full = await reason()
    await rawServer((socket) => socket.destroy())
    found.hangsUp = await reason()
    expect(found).toEqual({
      closed: 'connection_refused',
      unknown: 'name_not_found',
      selfSigned: 'certificate_not_trusted',
      selfSignedAtOnce: 'certificate_not_trusted',
      wrongPassword: 'sign_in_refused',
      wrongSender: 'sender_refused',
      full: 'refused_for_now',
      hangsUp: 'connection_lost',
    })
  })
})

describe('an email whose process stops', () => {
  /** What a server says to each command up to the text of an email. */
  const greeted: [RegExp, string][] = [
    [/^EHLO/, '250 here\r\n'],
    [/^(MAIL|RCPT)/, '250 ok\r\n'],
    [/^DATA/, '354 go on\r\n'],
  ]

  it.each(greeted.map((_step, i) => [i]))('was not sent while the server waits at step %i', async (step) => {
    expect(await stoppedAt(greeted.slice(0, step), greeted[step]![0])).toEqual({ as: 'unsent' })
  })

  it('is not confirmed once all of it was handed over', async () => {
    expect(await stoppedAt(greeted, /\r\n\.\r\n$/)).toEqual({
      as: 'unconfirmed',
      why: 'smtp not confirmed',
    })
  })
})

describe('without an email server', () => {
  const files = () => readdirSync(config.email.outboxDir).sort()
  const content = (file: string) => readFileSync(path.join(config.email.outboxDir, file), 'utf8')

  it('the same email becomes two files of one stem, whole, readable by nobody else', async () => {
    expect(await sendEmail(letter)).toEqual({ as: 'sent' })
    expect(files()).toEqual(['2026-11-21T07-00-00Z-42.abc.eml', '2026-11-21T07-00-00Z-42.abc.html'])
    const { header, text, html } = readRawEmail(content(files()[0]!))
    expect([header('Subject'), text, html]).toEqual([letter.subject, letter.text, letter.html])
    expect(content(files()[1]!)).toBe(`<!-- To: Siobhán Kelly, siobhan@example.com -->\n${letter.html}`)
    for (const file of files()) expect(statSync(path.join(config.email.outboxDir, file)).mode & 0o077).toBe(0)
  })

  it('emails of 30 days ago are forgotten, and no file that is not ours', async () => {
    await sendEmail(letter)
    await sendEmail({ ...letter, messageId: '<43.abc@building.example>' })
    const old = files().slice(0, 2)
    for (const name of ['notes.eml', 'index.html']) {
      writeFileSync(path.join(config.email.outboxDir, name), '')
      old.push(name)
    }
    const then = new Date(Date.now() - 31 * 24 * 3_600_000)
    for (const name of old) utimesSync(path.join(config.email.outboxDir, name), then, then)
    expect(await removeOldEmails()).toBe(2)
    expect(files()).toEqual([
      '2026-11-21T07-00-00Z-43.abc.eml',
      '2026-11-21T07-00-00Z-43.abc.html',
      'index.html',
      'notes.eml',
    ])
    config.email.outboxDir = path.join(folder, 'nowhere')
    expect(await removeOldEmails()).toBe(0)
  })

  it('the same email again leaves the same two files', async () => {
    await sendEmail(letter)
    await sendEmail(letter)
    expect(files().length).toBe(2)
  })

  it.each(['-->', '--!>', '> <script>alert(1)</script>', '-- --', '&gt;'])(
    'a name like %j does not end the comment',
    async (name) => {
      await sendEmail({ ...letter, to: { name, address: 'a--b@example.com' } })
      const [comment, ...rest] = content(files()[1]!).split('\n')
      expect(comment).toMatch(/^<!-- (?:(?!--|>).)* -->$/)
      expect(rest.join('\n')).toBe(letter.html)
    },
  )

  it('a folder that cannot be written to is for later, and no half file stays', async () => {
    writeFileSync(path.join(folder, 'file'), '')
    config.email.outboxDir = path.join(folder, 'file', 'outbox')
    expect(await sendEmail(letter)).toEqual({ as: 'retry', why: 'outbox folder ENOTDIR' })
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('whatever is in a subject or a name, it begins no header of its own', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (subject, name) => {
        await sendEmail({ ...letter, subject, to: { name, address: 'a@example.com' } })
        const raw = content(files()[0]!)
        const names = readRawEmail(raw).headers.map(([each]) => each)
        expect(names.filter((each) => /^(bcc|cc|x-evil)$/i.test(each))).toEqual([])
        expect(new Set(names).size).toBe(names.length)
        expect(readRawEmail(raw).header('To')).toMatch(/a@example\.com>?$/)
      }),
      { numRuns: perRun({ quick: 30, whole: 150 }) },
    )
  })
})

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\nBcc: v@evil.test',
        '\nX-Evil: 1',
        '\r\n\r\nbody',
        '\r',
        '"',
        '<a@b>',
        ',',
        ';',
        '=?utf-8?q?=0d=0aX-Evil:?=',
        '\u2028',
        '\u0000',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

function refuseData(code: number): NonNullable<SMTPServerOptions['onData']> {
  return (stream, _session, done) => stream.resume().on('end', () => done(refusing(code)))
}

function refuseAddress(code: number): NonNullable<SMTPServerOptions['onRcptTo']> {
  return (_address, _session, done) => done(refusing(code))
}

function refuseConnection(code: number): NonNullable<SMTPServerOptions['onConnect']> {
  return (_session, done) => done(refusing(code))
}

/** Accepts everything up to the final dot, and is gone without a word. */

const letter: Email = {
  fromName: 'Larkspur Court',
  to: { name: 'Siobhán Kelly', address: 'siobhan@example.com' },
  subject: 'Resolved: Lift B – wieder schön [INC-7]',
  text: 'It is fixed.\n\n.\n.. dots and ümlauts\n',
  html: '<!doctype html>\n<p>It is fixed – schön.</p>\n',
  messageId: '<42.abc@building.example>',
  date: new Date('2026-11-21T07:00:00.123Z'),
  replyTo: 'reports@building.example',
  inReplyTo: '<incident-7@building.example>',
  headers: {
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<https://building.example/unsubscribe/${'x'.repeat(90)}.y>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
}

const original = { ...config.email }
const cleanups: (() => Promise<void>)[] = []

/**
 * A real email server on a free port, which our configuration then names.
 * Collects what it accepted.
 */
async function mailServer(options: SMTPServerOptions = {}): Promise<string[]> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, _session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        received.push(raw)
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  useServer((server.server.address() as AddressInfo).port)
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return received
}

/** A server that speaks for itself. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  useServer((server.address() as AddressInfo).port)
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
}

function useServer(port: number): void {
  config.email.smtpUrl = `smtp://127.0.0.1:${port}`
}

const refusing = (responseCode: number) =>
  Object.assign(new Error('siobhan@example.com: no, and here is why'), { responseCode })
