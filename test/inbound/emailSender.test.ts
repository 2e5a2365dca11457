import { afterEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import type { Severity } from '../../src/vocabulary/severity.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
afterEach(async () => {
  config.email.authserv = null
  // So many unknown senders an hour would have to wait for the office.
  await query('delete from inbound_emails')
})

const names = {
  'resident@example.com': 'Maya Okafor',
  'board@example.com': 'Eleanor Whitcombe',
  'manager@example.com': 'Tomasz Zieliński',
  'admin@example.com': 'Priya Raman',
  'nobody@example.com': 'By email',
} as const
type Address = keyof typeof names

const ours = 'mx.house.example'
const says = (words: string, server = ours) => `${server}; ${words}`
const passed = 'dmarc=pass header.from=example.com'

/** What the headers say, who is believed, and how far that gets somebody. */
const cases: [
  what: string,
  authserv: string | null,
  headers: unknown,
  trust: 'true' | 'unknown' | 'false',
][] = [
  ['no header at all', ours, undefined, 'unknown'],
  ['a pass of ours', ours, { 'Authentication-Results': says(passed) }, 'true'],
  ['a pass, in a list of headers', ours, [{ name: 'Authentication-Results', value: says(passed) }], 'true'],
  ['a pass while nobody is believed', null, { 'Authentication-Results': says(passed) }, 'unknown'],
  [
    'a pass of another server',
    ours,
    { 'Authentication-Results': says(passed, 'mx.evil.example') },
    'unknown',
  ],
  ['a fail among ours', ours, { 'Authentication-Results': [says(passed), says('dmarc=fail')] }, 'false'],
]

/** Each case with one of the addresses; every address is some case’s. */
const table = cases.map(([what, authserv, headers, trust], i) => {
  const address = (Object.keys(names) as Address[])[(i + 1) % 5]!
  return { what, authserv, headers, address, trust, shown: trust === 'true' ? names[address] : 'By email' }
})

/** A report on something that works; a critical one puts it out of service. */
async function aCase(severity: Severity = 'low'): Promise<{ id: number; assetId: number }> {
  const { assets } = await house.json('guest', '/api/status')
  const assetId = assets.find(({ status }: { status: string }) => status === 'operational').id
  return { id: await house.report({ reporter: 'admin', assetId, title: 'Stuck', severity }), assetId }
}

let n = 0
const sendEmail = async (given: object) =>
  house.json('inbound', '/api/inbound-email', { json: { messageId: `<${++n}@x.example>`, ...given } })

describe('who an email is shown to be from', () => {
  it.each(table)('$address with $what: $shown', async ({ authserv, headers, address, trust, shown }) => {
    config.email.authserv = authserv
    const { id } = await aCase()
    const from = `"Tomasz Zieliński" <${address}>`
    const words = `It is safe to use again, says ${n}.`
    await sendEmail({ from, headers, subject: `[INC-${id}]`, text: words })
    const { incidentId } = await sendEmail({ from, headers, subject: 'Something else', text: 'Look.' })
    for (const who of ['guest', 'manager'] as Who[]) {
      const { updates } = await house.json(who, `/api/incidents/${id}`)
      expect(updates).toMatchObject([{ authorName: shown, body: words, via: 'email', newStatus: null }])
      const made = await house.json(who, `/api/incidents/${incidentId}`)
      expect([made.reporterName, made.source]).toEqual([shown, 'email'])
      const claimed = address.startsWith('nobody') ? undefined : names[address]
      const sender =
        who === 'manager'
          ? { email: address, proven: trust === 'true', claims: trust === 'true' ? undefined : claimed }
          : { email: undefined, proven: undefined, claims: undefined }
      const [{ authorEmail: email, senderProven: proven, claimedName: claims }] = updates
      expect({ email, proven, claims }).toEqual(sender)
      expect({
        email: made.reporterEmail,
        proven: made.senderProven,
        claims: made.claimedName,
      }).toEqual(sender)
    }
    const line = (await house.page('guest', `/incidents/${id}`))('.timeline li:first-child .who').text()
    expect(line.replace(/\s+/g, ' ')).toMatch(shown === 'By email' ? /^\s*By email \d/ : `${shown} by email`)
    const facts = (await house.page('guest', `/incidents/${incidentId}`))(
      '#description ~ .muted, .entry-head + .muted',
    )
    expect(facts.first().text().replace(/\s+/g, ' ')).toMatch(
      shown === 'By email' ? /^By email ·/ : new RegExp(`^Reported by ${shown} · .+ · by email`),
    )
  })

  it('is never the office on an asset’s page, however true it is', async () => {
    config.email.authserv = ours
    const { id, assetId } = await aCase('critical')
    const headers = { 'Authentication-Results': says(passed) }
    const page = async () => (await house.page('guest', `/assets/${assetId}`))('main').text()
    await sendEmail({
      from: 'manager@example.com',
      headers,
      subject: `[INC-${id}]`,
      text: 'Safe, says a mail.',
    })
    expect(await page()).not.toContain('Safe, says a mail.')
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'Not safe yet.', onStatusPage: true },
    })
    expect(await page()).toContain('Not safe yet.')
    await sendEmail({ from: 'manager@example.com', headers, subject: `[INC-${id}]`, text: 'Safe after all.' })
    expect(await page()).toContain('Not safe yet.')
    expect(await page()).not.toContain('Safe after all.')
    for (const path of ['/', '/display']) {
      expect((await house.page('guest', path))('body').text()).not.toContain('Safe after all.')
    }
  })

  it('of the app and of people who left is nobody, whatever the verdict', async () => {
    config.email.authserv = ours
    await query(`update users set active = false where email = 'anil.mistry@example.com'`)
    const headers = { 'Authentication-Results': says(passed) }
    for (const from of ['anil.mistry@example.com', 'App <mobile-reporter@caretaker.invalid>']) {
      const { incidentId } = await sendEmail({ from, headers, subject: 'Left', text: 'x' })
      expect((await house.json('guest', `/api/incidents/${incidentId}`)).reporterName).toBe('By email')
    }
  })
})

describe('an email to a report without a name', () => {
  it('that lists addresses does not find out whose it is, or who has an account', async () => {
    const bodies = await Promise.all(
      ['resident@example.com', 'george.adeyemi@example.com'].map(async (email) => {
        const { id } = await aCase()
        await query(
          `update incidents set is_anonymous = true, reporter_id = (select id from users where email = $2)
           where id = $1`,
          [id, email],
        )
        const text =
          'Is it resident@example.com, george.adeyemi@example.com, nobody@elsewhere.example or 020 7946 0018? Ada Lowe.'
        await sendEmail({ from: '"Ada Lowe" <ada@x.example>', subject: `[INC-${id}]`, text })
        return (await house.json('guest', `/api/incidents/${id}`)).updates[0].body
      }),
    )
    expect(bodies[0]).toBe(bodies[1])
    expect(bodies[0]).toBe('Is it [removed], [removed], [removed] or [removed]? [removed].')
  })

  it('in anybody’s name does not find out whose it is, and staff see who it is from', async () => {
    config.email.authserv = ours
    const headers = { 'Authentication-Results': says('dmarc=none') }
    const id = await house.report({ reporter: 'resident', isAnonymous: true })
    const claims = {
      'resident@example.com': 'Maya Okafor',
      'george.adeyemi@example.com': 'George Adeyemi',
    }
    for (const from of Object.keys(claims))
      await sendEmail({ from, headers, subject: `[INC-${id}]`, text: 'Me, too.' })
    const shown = async (who: Who, field: string) =>
      (await house.json(who, `/api/incidents/${id}`)).updates.map((each: any) => each[field])
    expect(await shown('guest', 'authorName')).toEqual(Array(2).fill('By email'))
    expect(await shown('manager', 'claimedName')).toEqual(Object.values(claims))
  })

  it('from whoever proves to be somebody is theirs', async () => {
    config.email.authserv = ours
    const { id } = await aCase()
    await query('update incidents set is_anonymous = true where id = $1', [id])
    const headers = { 'Authentication-Results': says(passed) }
    await sendEmail({ from: 'george.adeyemi@example.com', headers, subject: `[INC-${id}]`, text: 'Me, too.' })
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(updates[0].authorName).toBe('George Adeyemi')
  })

  it('that lost its tag names nobody, in its title neither', async () => {
    const own = '<incident-5@house.example>'
    for (const given of [
      { headers: { References: `<a@x.example> ${own}` }, text: 'Ada again.' },
      { headers: { 'In-Reply-To': [own] }, text: 'Ada again.' },
      { text: 'Ada again.\n\n> ## Reply above this line ##\n> By: Maya Okafor' },
    ]) {
      const { incidentId } = await sendEmail({
        from: '"Ada Lowe" <ada@x.example>',
        subject: 'Re: Mrs Lowe’s report',
        ...given,
      })
      const { title, description } = await house.json('guest', `/api/incidents/${incidentId}`)
      expect([title, description]).toEqual(['Re: Mrs [removed]’s report', '[removed] again.'])
    }
    const from = '"Ada Lowe" <ada@x.example>'
    const { incidentId } = await sendEmail({ from, subject: 'Lowe’s', text: 'Ada Lowe' })
    const { title, description } = await house.json('guest', `/api/incidents/${incidentId}`)
    expect([title, description]).toEqual(['Lowe’s', 'Ada Lowe'])
  })

  it('keeps names where nobody hides', async () => {
    const { id } = await aCase()
    await sendEmail({ from: 'ada@x.example', subject: `[INC-${id}]`, text: 'Maya Okafor knows.' })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates[0].body).toBe('Maya Okafor knows.')
  })

  it('gives nobody a link of ours that acts for its reader', async () => {
    const { id } = await aCase()
    const text = 'Words.\nStop: https://h.example/unsubscribe/NC5hbGw.abc and /reset-password/xyz here'
    await sendEmail({ from: 'ada@x.example', subject: `[INC-${id}]`, text })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates[0].body).not.toMatch(/abc|xyz/)
  })
})
