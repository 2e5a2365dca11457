import { load } from 'cheerio'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storedTexts } from '../../../src/inbound/storedTexts.js'
import { separateWords } from '../../../src/inbound/words/separateWords.js'
import type { Email } from '../../../src/vocabulary/email/delivery.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { answerStyles } from '../../support/email/emailClients.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { own } from '../../support/email/ownEmail.js'
import { anHourLater } from '../../support/email/receivedEmails.js'
import { useHouse } from '../../support/house/house.js'
import { ageReports } from '../../support/house/timePassing.js'
import { perRun } from '../../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { office, neighbour, board } = house
/** She reports without a name and nothing else, so hers may stand nowhere. */
const reporter = { name: 'Zuleika Quenby-Marcaigh', email: 'zuleika.quenby@post.example' } as const
/** Every kind of email about an anonymous report, in every language, and what they may quote. */
let emails: [name: string, email: Email][]
let sentences: readonly string[]
beforeAll(writeEveryKind)

it('the emails about a report without a name say it to nobody, in no language, staff included', () => {
  for (const [name, email] of emails) expect(JSON.stringify(email), name).not.toMatch(traces)
  expect(emails.some(([, { text }]) => text.includes('Anonymous resident says it isn’t fixed'))).toBe(true)
})

describe('an answer to an email of ours', () => {
  it.each(perRun({ quick: { every: 5 }, whole: answerStyles }))(
    'as %s writes it, is its new words and nothing else',
    async (_name, answer) => {
      for (const [name, original] of answerable()) {
        for (const isAnswer of [true, false]) {
          const email = { ...answer(fresh, original), subject: '', attachedEmails: [] }
          const words = await separateWords(email, { isAnswer, quoteMarks: own, storedTexts: sentences })
          expect(words.newWords.replace(phone, '').replace(/\n+/g, '\n'), name).toBe(fresh)
        }
      }
    },
  )

  it.each(perRun({ quick: { every: 5, from: 1 }, whole: answerStyles }))(
    'as %s writes it, with nothing new in it, publishes nothing of ours',
    async (_name, answer) => {
      for (const [name, original] of answerable()) {
        const email = { ...answer('', original), subject: '', attachedEmails: [] }
        const { newWords } = await separateWords(email, {
          isAnswer: true,
          quoteMarks: own,
          storedTexts: sentences,
        })
        expect(newWords.replace(phone, '').trim(), name).toBe('')
      }
    },
  )
})

describe.each(perRun({ quick: ['reporter'], whole: Object.keys(senders()) }))(
  'an answer of %s to a report without a name',
  (who) => {
    const from = senders()[who]!

    it('publishes the new words, and the reporter’s name nowhere', async () => {
      const [id, duplicate] = [await reportAnonymously(), await reportAnonymously()]
      const survivor = await another()
      const styles = perRun({ quick: { every: 9 }, whole: answerStyles })
      await office.merges(duplicate, survivor)
      for (const [i, [, answer]] of styles.entries()) {
        const [, email] = answerable()[i % answerable().length]!
        const body = answer(`${fresh}\nNumber ${i}.`, email)
        const subject = `Re: [INC-${i % 2 === 0 ? id : duplicate}] Smell of gas`
        await house.json('inbound', '/api/inbound-email', { json: { from, subject, ...body } })
        // So many within an hour would wait for the office.
        await anHourLater()
      }
      await emptyOutbox()
      await neighbour.follows(id)
      await update(id, 'in_progress')
      const { emails: notified, pushes } = await takeMessages()
      // Who wrote from elsewhere follows by that address: their own email is to it,
      // and names it nowhere else.
      const toOthers = notified.filter(({ to }) => to.address !== reporter.email)
      const read = toOthers.map((email) => (from.includes(email.to.address) ? { ...email, to: null } : email))
      expect(toOthers.length).toBeGreaterThan(0)
      const everything = [
        ...(await surfaces([id, survivor])),
        ...read.map((email) => JSON.stringify(email)),
        ...pushes.map((push) => JSON.stringify(push)),
      ]
      for (const seen of everything) {
        expect(new RegExp(`.{0,80}(${traces.source}).{0,80}`, 'i').exec(seen)?.[0]).toBeUndefined()
      }
      const updates = [id, survivor].map(
        async (one) => (await house.json('guest', `/api/incidents/${one}`)).updates,
      )
      const published = (await Promise.all(updates)).flat().map(({ body }: { body: string }) => body)
      for (const [i, [style]] of styles.entries()) {
        const found = published.filter((body) =>
          body.replace(/\n+/g, '\n').includes(`${fresh}\nNumber ${i}.`),
        )
        expect(found.length, style).toBeGreaterThan(0)
      }
    })
  },
)

/** Who writes an answer, by who they are to us. */
function senders(): Record<string, string> {
  return {
    staff: 'Tomasz Zieliński <manager@example.com>',
    resident: 'George Adeyemi <george.adeyemi@example.com>',
    reporter: `${reporter.name} <${reporter.email}>`,
    'the reporter from elsewhere': `${reporter.name} <zuleika@elsewhere.example>`,
    stranger: 'Ada Novak <ada@elsewhere.example>',
  }
}

const fresh = 'The engineer comes on Monday.\nPlease keep the door shut.'

const traces = /zuleika|quenby|marcaigh/i

const reportAnonymously = (): Promise<number> =>
  house.person(reporter.email).reports(7, { ...smell, isAnonymous: true })

const smell = { title: 'Smell of gas', description: 'In the stairs.', severity: 'high' } as const

/** Somebody else's, by name. */
const another = () => house.report({ title: 'Gas?', severity: 'high' })

const update = (id: number, status: Status, body = 'Looked at it.') =>
  office.sets(id, status, body, { notified: true })

/** The line of a program below the words, which stays with them. */
const phone = /\n*(Sent from my iPhone|Get Outlook for iOS.*)/

/** Those a reply comes in to; the others have no line to cut at. */
const answerable = () => emails.filter(([, { replyTo }]) => replyTo !== null)

/** Everything that people who are not staff can read about these reports. */
async function surfaces(ids: readonly number[]): Promise<string[]> {
  const seen: string[] = []
  for (const who of ['guest', 'mobile'] as const) {
    const paths = [
      '/api/incidents?limit=500',
      '/incidents?limit=500',
      '/assets/7',
      '/api/assets/7',
      '/',
      '/display',
    ]
    for (const path of [...paths, ...ids.flatMap((id) => [`/incidents/${id}`, `/api/incidents/${id}`])]) {
      const answer = await house.ask(who, path, { redirect: 'manual' } as never)
      seen.push(await answer.text())
    }
  }
  return seen
}

/** Has one email of each kind sent about an anonymous report, to staff and to followers. */
async function writeEveryKind(): Promise<void> {
  await house.user(reporter)
  await board.reads('es')
  await neighbour.reads('es')
  await emptyOutbox()
  const zuleika = house.person(reporter.email)
  const json = { ...smell, assetId: 7, isAnonymous: true }
  const { id } = await zuleika.json('/api/incidents', { json })
  const target = await another()
  for (const follower of [board, neighbour, house.person('ruth.abrams@example.com')])
    await follower.follows(id)
  await ageReports(id, 30)
  await house.sweep()
  await update(id, 'resolved')
  await zuleika.json(`/api/incidents/${id}/verify`, { json: { fixed: false, body: 'It still smells.' } })
  await update(id, 'acknowledged')
  await update(id, 'resolved')
  await zuleika.json(`/api/incidents/${id}/verify`, { json: { fixed: true } })
  await house.json('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
  await house.json('cron', '/api/cron/digest', { method: 'POST' })
  sentences = await storedTexts([id, target])
  const taken = await takeMessages()
  emails = taken.emails
    .filter(({ to }) => to.address !== reporter.email)
    .map((email) => [`${email.subject} to ${email.to.address}`, email])
  const kinds = new Set(
    emails.map(
      ([, { html }]) => load(html)('body > :first-child').text().replace(/\d+/g, '') + html.slice(15, 35),
    ),
  )
  expect(kinds.size).toBeGreaterThan(12)
}
