import { readFileSync } from 'node:fs'
import path from 'node:path'
import addressparser from 'nodemailer/lib/addressparser/index.js'
import { describe, expect, it, vi } from 'vitest'
import { isOwnAddress } from '../../src/inbound/kinds/kindOf.js'
import { readSender } from '../../src/inbound/parse/sender.js'
import { emailHostOf, ownAddress } from '../../src/vocabulary/email/ownEmail.js'
import { checkout } from '../support/compiled.js'
import { forgetEmails } from '../support/email/receivedEmails.js'
import type { Asked } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.INBOUND_AUTHSERV_ID = 'mx.house.example'
})

const corpus = path.join(checkout, 'test/support/email/corpus/senders.json')
const rows = JSON.parse(readFileSync(corpus, 'utf8')) as Row[]
const house = useHouse()

describe('who From names', () => {
  it.each(rows)('in $what: $address', ({ from, address, name, python }) => {
    expect(readSender(from, null)).toEqual({ address, name })
    if (address === null) return
    // Two other parsers find this address and no other.
    expect({ python, nodemailer: references(from) }).toEqual({ python: [address], nodemailer: [address] })
  })
})

const verdict = 'mx.house.example; dmarc=pass header.from=example.com'
let n = 0

/** Every kind of post that brings an email, with this From in every place where it has one. */
const posts: Record<string, (from: string) => Asked> = {
  'JSON with `from`': (from) => ({ json: { from, headers: [results], ...words() } }),
  'JSON with `from` and headers': (from) => ({
    json: { from, headers: [results, { name: 'From', value: from }], ...words() },
  }),
  'JSON with headers alone': (from) => ({
    json: { headers: { 'Authentication-Results': verdict, From: from }, ...words() },
  }),
  'a form of fields': (from) => ({
    form: { from, headers: `Authentication-Results: ${verdict}\r\nFrom: ${from}\r\n`, ...words() },
  }),
  'a whole email': (from) => ({
    body: wholeEmailFrom(from),
    headers: { 'content-type': 'message/rfc822' },
  }),
  'a form with a whole email': (from) => ({ form: { from, email: wholeEmailFrom(from) } }),
}
const account = 'resident@example.com'

describe.each(Object.entries(posts))('an email in %s', (kind, post) => {
  it.each(
    perRun({
      quick: { every: 12, from: Object.keys(posts).indexOf(kind) },
      whole: rows.filter(({ from }) => from.length < 1_000),
    }),
  )('with $what in From is by $address', async ({ from, address }) => {
    const proven = address?.endsWith('@example.com') ?? false
    expect(await shownAs(post(from))).toEqual({
      publicly: address === account ? 'Maya Okafor' : 'By email',
      address,
      isProven: proven,
    })
  })
})

describe('an email whose places for the sender differ', () => {
  const from = `Maya <${account}>`

  it.each([
    ['another address in its own header', [{ name: 'From', value: 'Eve <attacker@example.com>' }]],
    ['the address only in a comment there', [{ name: 'From', value: `attacker@example.com (${account})` }]],
    [
      'two From headers',
      [
        { name: 'From', value: from },
        { name: 'From', value: from },
      ],
    ],
    [
      'two From headers, one with a blank',
      [
        { name: 'From', value: from },
        { name: 'From ', value: from },
      ],
    ],
    ['an empty From header', [{ name: 'From', value: '' }]],
  ])('is by no one: %s', async (_what, headers) => {
    expect(await shownAs({ json: { from, headers: [results, ...headers], ...words() } })).toEqual(unknown)
  })

  it('is by no one with two From headers in a whole email', async () => {
    const email = `From: attacker@example.com\r\n${wholeEmailFrom(from)}`
    expect(await shownAs({ body: email, headers: { 'content-type': 'message/rfc822' } })).toEqual(unknown)
  })

  it('has one sender in two spellings of one domain', () => {
    const headers = new Map([['from', ['Maya <maya@xn--bcher-kva.example>']]])
    expect(readSender('maya@bücher.example', headers).address).toBe('maya@xn--bcher-kva.example')
  })

  it('is not proven by a verdict on From when only the envelope names a sender', async () => {
    expect(await shownAs({ json: { sender: account, headers: [results], ...words() } })).toEqual({
      publicly: 'By email',
      address: account,
      isProven: false,
    })
  })
})

describe('a header that resembles Authentication-Results', () => {
  const names = [
    'Authentication_Results',
    'authentication_results',
    'AUTHENTICATION_Results',
    'Authentication-Results ',
    ' Authentication-Results',
    'Authentication‐Results',
    'Authentication Results',
    'X-Authentication-Results',
    'ARC-Authentication-Results',
    'Ａuthentication-Results',
  ]

  it.each(names)('proves nothing: %j', async (name) => {
    const unproven = { publicly: 'By email', address: account, isProven: false }
    const from = `Maya <${account}>`
    for (const headers of [[{ name, value: verdict }], { [name]: verdict }, `${name}: ${verdict}\r\n`])
      expect(await shownAs({ json: { from, headers, ...words() } })).toEqual(unproven)
    const email = `${name}: ${verdict}\r\nFrom: ${from}\r\nSubject: x ${n}\r\n\r\n${words().text}`
    expect(await shownAs({ body: email, headers: { 'content-type': 'message/rfc822' } })).toEqual(unproven)
  })

  it('leaves the right one as it is', async () => {
    const headers = [{ name: 'Authentication_Results', value: verdict.replace('pass', 'fail') }, results]
    const shown = await shownAs({ json: { from: account, headers, ...words() } })
    expect(shown).toEqual({ publicly: 'Maya Okafor', address: account, isProven: true })
  })
})

describe('the address of a setting of ours', () => {
  it.each([
    ['caretaker@house.example', 'caretaker@house.example', 'house.example'],
    ['Our building <Caretaker@house.example>', 'Caretaker@house.example', 'house.example'],
    ['"Tower, north" <caretaker@house.example>', 'caretaker@house.example', 'house.example'],
    ['caretaker@house.example (Our building)', 'caretaker@house.example', 'house.example'],
    ['Tower: north <caretaker@house.example>', 'caretaker@house.example', 'house.example'],
    ['"x@else.example" <caretaker@house.example>', 'caretaker@house.example', 'house.example'],
    ['Büro <büro@bücher.example>', 'büro@bücher.example', 'xn--bcher-kva.example'],
  ])('in %j is sent from, recognised and named in message ids alike', (setting, address, host) => {
    expect(ownAddress(setting)).toBe(address)
    expect(emailHostOf(null, setting)).toBe(host)
    expect(isOwnAddress(address.toLowerCase(), [setting])).toBe(true)
  })
})

/** A form of From; `python`: the addresses that Python's email.headerregistry finds in it. */
type Row = {
  what: string
  from: string
  address: string | null
  name: string | null
  python: string[] | null
}

/** What nodemailer's parser finds, groups opened. */
function references(from: string): string[] {
  return addressparser(from, { flatten: true })
    .map(({ address }) => address?.toLowerCase() ?? '')
    .filter((address) => address.includes('@'))
}

const results = { name: 'Authentication-Results', value: verdict }

function words() {
  n += 1
  return { subject: `Lift ${n}`, text: `It is stuck, ${n}.` }
}

function wholeEmailFrom(from: string): string {
  const { subject, text } = words()
  return `Authentication-Results: ${verdict}\r\nFrom: ${from}\r\nSubject: ${subject}\r\n\r\n${text}`
}

async function shownAs(asked: Asked) {
  await forgetEmails()
  const { incidentId } = await house.json('inbound', '/api/inbound-email', asked)
  const [publicly, forStaff] = [
    await house.json('guest', `/api/incidents/${incidentId}`),
    await house.json('manager', `/api/incidents/${incidentId}`),
  ]
  return {
    publicly: publicly.reporterName,
    address: forStaff.reporterEmail ?? null,
    isProven: forStaff.senderProven,
  }
}

const unknown = { publicly: 'By email', address: null, isProven: false }
