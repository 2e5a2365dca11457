import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emailLimits } from '../../src/inbound/limits.js'
import { giveDemoPassword } from '../support/accounts.js'
import { holdEmails } from '../support/email/manyEmails.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { forgetEmails } from '../support/email/receivedEmails.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()

beforeAll(async () => {
  await giveDemoPassword(await house.user({ name: 'Known Person', email: addresses.account }))
  await giveDemoPassword(await house.user({ name: 'Maker Person', email: addresses.reporter }))
})

beforeEach(emptyOutbox)

describe('no one outside learns whether an address has an account or is the anonymous reporter’s', () => {
  const acts: Record<string, Act> = {
    'reports by email': (from) => postEmail({ from, subject: 'Cold', text: 'Cold stairs.' }),
    'replies to a report': (from, { named }) =>
      postEmail({ from, subject: `[INC-${named}] Lamp`, text: 'Still dark.' }),
    'replies to a report without a name': (from, { anonymous }) =>
      postEmail({ from, subject: `[INC-${anonymous}] Smell`, text: 'It was known.one@people.example.' }),
    'replies with the name of another': (address, { anonymous }) =>
      postEmail({
        from: `Known Person <${address}>`,
        subject: `[INC-${anonymous}] Smell`,
        text: 'Known Person.',
      }),
    'writes the same again': async (from, { named }) => {
      const messageId = `<same-${crypto.randomUUID()}@x.example>`
      const once = { from, subject: `[INC-${named}] Lamp`, text: 'Once.', messageId }
      await postEmail(once)
      return postEmail(once)
    },
    'sends fifteen emails to a report': (from, { named }) =>
      sendEmails(15, (i) => ({ from, subject: `[INC-${named}] Lamp`, text: `Dark, ${i} times.` })),
    'sends twenty-five reports': (from) =>
      sendEmails(25, (i) => ({ from, subject: 'Cold', text: `Cold, ${i} times.` })),
    'sends emails until no more can wait': async (from) => {
      const most = emailLimits.waitingOfDomain.most.unproven
      await holdEmails('unproven', most - 15, { domain: 'people.example' })
      return sendEmails(40, (i) => ({ from, subject: 'Cold', text: `Cold, ${i} times.` }))
    },
    'asks for a link to sign in': (address) =>
      house.ask('guest', '/api/sign-in/link', { json: { email: address } }),
    'asks for a new password': (address) =>
      house.ask('guest', '/api/auth/forgot-password', { json: { email: address } }),
    'signs in with a wrong password': (address) =>
      house.ask('guest', '/api/auth/sign-in/email', { json: { email: address, password: 'a wrong guess' } }),
    'asks to follow': (address, { named }) =>
      house.ask('guest', '/api/follow', { json: { email: address, incidentId: named } }),
  }

  it.each(Object.entries(acts))('whoever %s', async (name, act) => {
    const turn = Object.keys(acts).indexOf(name) % 2
    const [account, reporter, nobody] = [
      await worldAfter('account', act, turn),
      await worldAfter('reporter', act, turn),
      await worldAfter('nobody', act, turn),
    ]
    expect(account.length).toBeGreaterThan(5)
    expect(account).toEqual(nobody)
    expect(account).toEqual(reporter)
  })
})

const readers: Who[] = ['guest', 'resident', 'mobile']

/**
 * An account, the account that reports without a name, and an address that no one
 * here has; of one length.
 */
const addresses = {
  account: 'known.one@people.example',
  reporter: 'maker.one@people.example',
  nobody: 'other.one@people.example',
} as const

type Sender = keyof typeof addresses

type Act = (address: string, ids: { named: number; anonymous: number }) => Promise<Response>

/**
 * Without what differs between any two reports: moments, ids, tokens, and the sender's own address
 * as typed. Moments go first: an id may be the minute of one.
 */
function steady(text: string, sender: Sender, ids: readonly number[]): string {
  const timeless = text
    // Status codes, which may be ids as well.
    .replace(/<meta name="htmx-config"[^>]*>/g, '')
    .replace(/<time [^>]*>[^<]*<\/time>/g, 'MOMENT')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
    .replace(/\d\d:\d\d(?=[.\n])/g, 'TIME')
  return ids
    .reduce((rest, id, i) => rest.replaceAll(new RegExp(`(?<!\\w)${id}(?!\\w)`, 'g'), `ID${i}`), timeless)
    .replaceAll(addresses[sender], 'SENDER')
    .replace(/"id":\d+/g, '"id":N')
    .replace(/\/unsubscribe\/[\w-]+/g, '/unsubscribe/TOKEN')
    .replace(/(value|nonce|token|href)="[^"]*"/g, '$1')
    .replace(/"requestId":"[^"]*"|name="pick-\d+"|id="[^"]*"|for="[^"]*"/g, '')
}

/** What the world looks like to everyone outside the office after an act of this sender. */
async function worldAfter(sender: Sender, act: Act, turn: number): Promise<string[]> {
  // The three have one domain, whose share of a limit would be spent for the next.
  await forgetEmails()
  const named = await house.report({ assetId: 7, title: 'Lamp', severity: 'low', reporter: 'board' })
  const anonymous = await house.report({
    assetId: 7,
    title: 'Smell',
    severity: 'low',
    isAnonymous: true,
    reporter: addresses.reporter,
  })
  const answer = await act(addresses[sender], { named, anonymous })
  const body = await answer.text()
  const made = [...body.matchAll(/"incidentId":(\d+)/g)].map(([, id]) => Number(id))
  const ids = [named, anonymous, ...new Set(made)]
  const seen = [`status${answer.status} ${answer.headers.get('location') ?? ''} ${body}`]
  const asked = readers.flatMap((who) =>
    [...new Set(ids)].flatMap((id) =>
      [`/api/incidents/${id}`, `/incidents/${id}`].map((path) => ({ who, path })),
    ),
  )
  for (const { who, path } of perRun({ quick: { every: 2, from: turn }, whole: asked }))
    seen.push(`${who} ${await (await house.ask(who, path)).text()}`)
  const { emails } = await takeMessages()
  const own: string[] = Object.values(addresses)
  const toOthers = emails.filter(({ to }) => !own.includes(to.address))
  seen.push(...toOthers.map(({ to, subject, text }) => `${to.address} ${subject}\n${text}`).sort())
  return seen.map((text) => steady(text, sender, ids))
}

function postEmail(json: object) {
  return house.ask('inbound', '/api/inbound-email', { json })
}

/** Sends so many emails. Its answer is all of theirs. */
async function sendEmails(count: number, json: (i: number) => object): Promise<Response> {
  const ends: string[] = []
  for (let i = 0; i < count; i++) {
    const answer = await postEmail(json(i))
    ends.push(`status${answer.status} ${await answer.text()}`)
  }
  return new Response(ends.join('\n'))
}
