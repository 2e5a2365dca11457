import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pauseSending, resumeSending } from '../../src/notifications/pauseSending.js'
import { query } from '../../src/platform/db/database.js'
import { sendEmail } from '../../src/platform/mail/mailer.js'
import type { Patience } from '../../src/platform/mail/smtp.js'
import { noteHandOver, releaseMessages } from '../../src/platform/outbox/outboxQueries.js'
import { config } from '../../src/platform/process/config.js'
import { log } from '../../src/platform/process/log.js'
import type { Deliver, Email } from '../../src/vocabulary/email/delivery.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import { useDatabase } from '../support/database.js'
import { emptyOutbox } from '../support/email/messages.js'
import { readRawEmail } from '../support/email/mime.js'
import { leaveMessages, makeDue, setLastMessage } from '../support/email/outboxRows.js'
import { scalar } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { itInWholeRun } from '../support/run/extent.js'
import { messageSender } from '../support/sending.js'

vi.mock('../../src/platform/outbox/outboxQueries.js', { spy: true })

// A deadline of ours that ends an act the other side may have done: whoever tries again does it
// twice. Each server here does what it is asked, and answers late or never.
useDatabase()
afterEach(async () => {
  Object.assign(config.email, original)
  vi.restoreAllMocks()
  for (const cleanup of cleanups.splice(0)) await cleanup()
  await emptyOutbox()
  await resumeSending(systemActor('cli'))
})

describe('an email whose server has read the end of it', () => {
  it('is sent once when the server confirms it late', async () => {
    const taken = await mailServer((done) => setTimeout(done, 250))
    const [id] = await leaveEmails()
    await emailSender(long).drain()
    expect(await rowOf(id!)).toEqual(confirmed)
    await sendAgainLater()
    expect(taken).toEqual([`<${id}@building.example>`])
  })

  itInWholeRun(
    'is sent once when the server needs longer than people wait',
    { timeout: 30_000 },
    async () => {
      const taken = await mailServer((done) => setTimeout(done, beyondPatience))
      const [id] = await leaveEmails()
      const mail: Deliver = (row, attempt) => sendEmail(emailOf(row.id), attempt)
      await messageSender({ mail, push: mail }).drain()
      expect(await rowOf(id!)).toEqual(confirmed)
      expect(taken).toHaveLength(1)
    },
  )

  it('is sent once by a tarpit that outlasts lease after lease, while others look and all else leaves', async () => {
    const ids = await leaveEmails(12)
    const inTarpit = emailOf(ids[0]!).messageId
    let confirm: (() => void) | undefined
    const taken = await mailServer((done) => {
      if (taken.at(-1) === inTarpit) confirm = () => done()
      else done()
    })
    const drained = emailSender(long, { lease: 1, slowAfter: 100, atOnce: 1 }).drain()
    await eventually(() => expect(taken).toHaveLength(ids.length))
    const end = await scalar<Date>('select next_attempt_at from outbox where id = $1', [ids[0]])
    for (let lease = 0; lease < 3; lease++) {
      const later = new Date(end.getTime() + lease * 1_000)
      await eventually(async () => expect(await scalar<boolean>('select now() > $1', [later])).toBe(true))
      await emailSender(long).drain()
    }
    confirm!()
    await drained
    expect(await rowOf(ids[0]!)).toEqual(confirmed)
    await sendAgainLater()
    expect(taken).toHaveLength(ids.length)
  })

  it.each([
    ['the end of the text', 4, { as: 'sent' }],
    ['the end of the text', 10, { as: 'unconfirmed', why: 'smtp not confirmed' }],
    ['the recipient', 4, { as: 'sent' }],
    ['the recipient', 6, { as: 'retry', why: 'smtp no answer' }],
  ])('is waited for as RFC 5321 asks: %s, answered after %i minutes', async (what, minutes, outcome) => {
    let answer: (() => void) | undefined
    const isAtEnd = what === 'the end of the text'
    const answerOr = (done: () => void, isLate: boolean) => {
      if (isLate) answer = done
      else done()
    }
    await mailServer((done) => answerOr(done, isAtEnd), {
      onRcptTo: (_address, _session, done) => answerOr(done, !isAtEnd),
    })
    // The deadlines of a running service; those of the sockets are longer,
    // and go by the real clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    cleanups.push(async () => vi.useRealTimers())
    const sending = sendEmail(emailOf(1))
    await vi.waitFor(() => expect(answer).toBeDefined())
    await vi.advanceTimersByTimeAsync(minutes * 60_000)
    answer!()
    expect(await sending).toEqual(outcome)
  })

  it.each([
    ['never answers', () => {}],
    ['hangs up without an answer', (_done: unknown, drop: () => void) => drop()],
  ])('is not confirmed when the server %s, and not sent again', async (_what, answer) => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const taken = await mailServer(answer)
    const [id] = await leaveEmails()
    await emailSender(short).drain()
    expect(await rowOf(id!)).toEqual(unconfirmed)
    await sendAgainLater()
    expect(taken).toEqual([`<${id}@building.example>`])
    expect(warn.mock.calls).toEqual([
      [{ id, kind: 'mail', event: 'test', attempts: 1, why: 'smtp not confirmed' }, 'message not confirmed'],
    ])
  })

  it('is sent again when the server says that it did not take it, however late', async () => {
    let tries = 0
    const taken = await mailServer((done) =>
      setTimeout(
        done,
        200,
        ++tries === 1 ? Object.assign(new Error('busy'), { responseCode: 451 }) : undefined,
      ),
    )
    const [id] = await leaveEmails()
    await emailSender(long).drain()
    expect(await rowOf(id!)).toEqual({ ...confirmed, sent: false, error: 'smtp 451' })
    await sendAgainLater()
    expect(await rowOf(id!)).toEqual({ ...confirmed, attempts: 2 })
    expect(taken).toHaveLength(2)
  })

  it('has failed when the server refuses it for good, however late', async () => {
    await mailServer((done) => setTimeout(done, 200, Object.assign(new Error('spam'), { responseCode: 550 })))
    const [id] = await leaveEmails()
    await emailSender(long).drain()
    expect(await rowOf(id!)).toEqual({ ...confirmed, sent: false, failed: true, error: 'smtp 550' })
  })

  it('is not confirmed when its process is told to stop meanwhile, which ends in time', async () => {
    const taken = await mailServer(() => sender.stop!())
    const [id] = await leaveEmails()
    const sender = emailSender(long, { grace: 50 })
    const began = performance.now()
    await sender.drain()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await rowOf(id!)).toEqual(unconfirmed)
    await sendAgainLater()
    expect(taken).toHaveLength(1)
  })

  it('is not sent again when its process dies meanwhile', async () => {
    const taken = await mailServer(() => {})
    const [id] = await leaveEmails()
    // As a process that is killed, it notes nothing any more while the next one sends.
    void emailSender(long).drain()
    await eventually(() => expect(taken).toHaveLength(1))
    const left = await rowOf(id!)
    expect(left).toMatchObject({ sent: true, failed: false })
    expect(left.confirmBy).toBeGreaterThan(10)
    await sendAgainLater()
    expect(taken).toHaveLength(1)
  })
})

describe('an email whose server has not read the end of it', () => {
  /** Answers a recipient so late, and any other at once. */
  const tarpit = (slow: number, ms: number): SMTPServerOptions => ({
    onRcptTo: ({ address }, _session, done) =>
      void (address === emailOf(slow).to.address ? setTimeout(done, ms) : done()),
  })

  it('arrives once though the server answers its recipient late, and holds no other up', async () => {
    const ids = await leaveEmails(30)
    const slow = emailOf(ids[0]!)
    const taken = await mailServer((done) => done(), {
      onRcptTo: ({ address }, _session, done) =>
        void (address === slow.to.address
          ? eventually(() => expect(taken).toHaveLength(29)).then(() => done())
          : done()),
    })
    await emailSender(long, { slowAfter: 100, atOnce: 1 }).drain()
    expect(taken).toHaveLength(30)
    expect(taken.at(-1)).toBe(slow.messageId)
  })

  it('is kept up by as many slow ones as there may be, and no more', async () => {
    const ids = await leaveEmails(3)
    let most = 0
    let now = 0
    const held: (() => void)[] = []
    await mailServer((done) => done(), {
      onRcptTo: (_address, _session, done) => {
        most = Math.max(most, ++now)
        held.push(() => {
          now--
          done()
        })
      },
    })
    const drained = emailSender(long, { slowAfter: 20, atOnce: 1, mostSlow: 1 }).drain()
    await eventually(() => expect(now).toBe(2))
    await sleep(100)
    for (let i = 0; i < ids.length; i++) {
      await eventually(() => expect(held.length).toBeGreaterThan(0))
      held.shift()!()
    }
    await drained
    expect(most).toBe(2)
    expect(await Promise.all(ids.map(rowOf))).toEqual([confirmed, confirmed, confirmed])
  })

  it('is for later when the recipient is never answered', async () => {
    const [id] = await leaveEmails()
    const taken = await mailServer((done) => done(), tarpit(id!, 60_000))
    await emailSender(short).drain()
    expect(await rowOf(id!)).toEqual({ ...confirmed, sent: false, error: 'smtp no answer' })
    expect(taken).toEqual([])
  })

  it('is sent by the next process when its own is told to stop, or dies', async () => {
    for (const ends of ['stops', 'dies']) {
      const [id] = await leaveEmails()
      let asked = 0
      const taken = await mailServer((done) => done(), {
        onRcptTo: (_address, _session, done) => void (++asked > 1 && done()),
      })
      const sender = emailSender(long, { grace: 20 })
      const drained = sender.drain()
      await eventually(() => expect(asked).toBe(1))
      if (ends === 'stops') {
        sender.stop!()
        await drained
        expect(await rowOf(id!)).toMatchObject({ attempts: 0, sent: false, error: null })
      }
      await sendAgainLater()
      expect(await rowOf(id!)).toMatchObject({ sent: true, confirmBy: null })
      expect(taken).toEqual([`<${id}@building.example>`])
    }
  })

  it('stays ours as long as this process lives, however short the lease', async () => {
    const [id] = await leaveEmails()
    let answer: (() => void) | undefined
    const taken = await mailServer((done) => done(), {
      onRcptTo: (_address, _session, done) => {
        answer = () => done()
      },
    })
    const drained = emailSender(long, { lease: 1 }).drain()
    await eventually(() => expect(answer).toBeDefined())
    const end = await scalar<Date>('select next_attempt_at from outbox')
    await eventually(async () => expect(await scalar<boolean>('select now() > $1', [end])).toBe(true))
    await emailSender(long).drain()
    answer!()
    await drained
    expect(await rowOf(id!)).toEqual(confirmed)
    expect(taken).toHaveLength(1)
  })

  it('never leaves when sending is paused, or another process has it by now', async () => {
    const meanwhile = {
      paused: () => pauseSending(systemActor('cli'), 'by_hand'),
      taken: () => setLastMessage(`attempts = attempts + 1, next_attempt_at = now() + interval '1 hour'`),
    }
    for (const happens of Object.values(meanwhile)) {
      await leaveEmails()
      const taken = await mailServer((done) => done(), {
        onRcptTo: (_address, _session, done) => void happens().then(() => done()),
      })
      await emailSender(long).drain()
      expect(taken).toEqual([])
      expect(await query('select from outbox where sent_at is not null')).toEqual([])
      await emptyOutbox()
      await resumeSending(systemActor('cli'))
    }
  })

  it('is due again though the database went away while it was noted as sent', async () => {
    const [id] = await leaveEmails()
    const taken = await mailServer((done) => done())
    const { noteHandOver: note } = await vi.importActual<{ noteHandOver: typeof noteHandOver }>(
      '../../src/platform/outbox/outboxQueries.js',
    )
    const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    vi.mocked(noteHandOver).mockImplementationOnce(async (...noted) => {
      await note(...noted)
      throw away
    })
    vi.mocked(releaseMessages).mockRejectedValueOnce(away)
    const sender = emailSender(long)
    await sender.drain()
    expect([taken, await rowOf(id!)]).toMatchObject([[], { attempts: 0, sent: false, confirmBy: null }])
    await sender.drain()
    expect([taken, await rowOf(id!)]).toEqual([[`<${id}@building.example>`], confirmed])
  })
})

const cleanups: (() => Promise<unknown>)[] = []

const original = { ...config.email }

/**
 * Milliseconds in which a server that has not answered never will, for tests that wait for that.
 */
const short: Patience = { connect: 1_000, text: 1_000, answer: 400 }

/** For tests in which the server answers, or the process ends before. */
const long: Patience = { connect: 5_000, text: 20_000, answer: 20_000 }

/** More milliseconds than people, and many clients, wait for an answer. */
const beyondPatience = 11_000

const emailOf = (id: number): Email => ({
  fromName: 'Larkspur Court',
  to: { name: 'Reader', address: `reader${id}@example.com` },
  subject: 'Marked as fixed',
  text: 'It works.\n',
  html: '<p>It works.</p>\n',
  messageId: `<${id}@building.example>`,
  date: new Date(),
  replyTo: null,
  inReplyTo: null,
  headers: {},
})

/** Sends the emails of the outbox by SMTP, as the service does. */
function emailSender(patience: Patience, options: Parameters<typeof messageSender>[1] = {}) {
  const mail: Deliver = ({ id }, attempt) => sendEmail(emailOf(id), attempt, patience)
  const sender = messageSender({ mail, push: async () => ({ as: 'sent' }) }, options)
  cleanups.push(async () => sender.stop!())
  return sender
}

/** Leaves one email for each of so many people, and returns their ids. */
async function leaveEmails(count = 1): Promise<number[]> {
  const ids: number[] = []
  for (let recipientId = 1; recipientId <= count; recipientId++)
    ids.push(...(await leaveMessages({ recipientId })))
  return ids
}

/** `confirmBy`: seconds for which the answer is still waited for. */
const rowOf = async (id: number) =>
  (
    await query(
      `select attempts, sent_at is not null as sent, failed_at is not null as failed, last_error as error,
         round(extract(epoch from confirm_by - now()))::integer as confirm_by
       from outbox where id = $1`,
      [id],
    )
  )[0]!

const confirmed = { attempts: 1, sent: true, failed: false, error: null, confirmBy: null }

const unconfirmed = { ...confirmed, confirmBy: 0 }

/** Everything is due, as it is when hours have passed; another process sends it. */
async function sendAgainLater(): Promise<void> {
  await makeDue()
  await emailSender(short).drain()
}

/**
 * An email server that takes every email; `taken` has the Message-ID of each end of a text it read.
 */
async function mailServer(
  answer: (done: (error?: Error) => void, drop: () => void) => unknown,
  more: SMTPServerOptions = {},
): Promise<string[]> {
  const taken: string[] = []
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 50,
    onData(stream, _session, done) {
      let raw = ''
      stream.on('data', (chunk) => (raw += chunk))
      stream.on('end', () => {
        taken.push(readRawEmail(raw).header('Message-ID'))
        answer(done, () => {
          for (const connection of (server as unknown as { connections: Set<Dropped> }).connections)
            connection._socket.destroy()
        })
      })
    },
    ...more,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  config.email.smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return taken
}

type Dropped = { _socket: { destroy: () => void } }
