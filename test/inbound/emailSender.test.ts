import { afterEach, describe, expect, it, vi } from 'vitest'
import { config } from '../../src/platform/process/config.js'
import type { Severity } from '../../src/vocabulary/severity.js'
import { userIdOf } from '../support/accounts.js'
import { forgetEmails } from '../support/email/receivedEmails.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.INBOUND_ADDRESS = 'reports@house.example'
})

const house = useHouse()
const { office } = house

afterEach(async () => {
  config.email.authserv = null
  await forgetEmails()
})

describe('who an email is shown to be from', () => {
  it.each<Case>([
    {
      what: 'no header at all',
      address: 'board@example.com',
      isProven: false,
    },
    {
      what: 'a pass of ours',
      headers: { 'Authentication-Results': says() },
      address: 'manager@example.com',
      isProven: true,
    },
    {
      what: 'a pass, in a list of headers',
      headers: [{ name: 'Authentication-Results', value: says() }],
      address: 'admin@example.com',
      isProven: true,
    },
    {
      what: 'a pass while no server is believed',
      authserv: null,
      headers: { 'Authentication-Results': says() },
      address: 'nobody@example.com',
      isProven: false,
    },
    {
      what: 'a pass of another server',
      headers: { 'Authentication-Results': says('dmarc=pass header.from=example.com', 'mx.evil.example') },
      address: 'resident@example.com',
      isProven: false,
    },
    {
      what: 'a fail among ours',
      headers: { 'Authentication-Results': [says(), says('dmarc=fail')] },
      address: 'board@example.com',
      isProven: false,
    },
  ])('$address with $what', async ({ authserv = ours, headers, address, isProven }) => {
    const shown = isProven ? names[address] : 'By email'
    config.email.authserv = authserv
    const { id } = await reportOnWhatWorks()
    const from = `"Tomasz Zieliński" <${address}>`
    const words = 'It is safe to use again.'
    await house.emails({ from, headers, subject: `[INC-${id}]`, text: words })
    const { incidentId } = await house.emails({ from, headers, subject: 'Something else', text: 'Look.' })
    for (const who of ['guest', 'manager'] as Who[]) {
      const { updates } = await house.json(who, `/api/incidents/${id}`)
      expect(updates).toMatchObject([{ authorName: shown, body: words, via: 'email', newStatus: null }])
      const made = await house.json(who, `/api/incidents/${incidentId}`)
      expect([made.reporterName, made.source]).toEqual([shown, 'email'])
      const claimed = address.startsWith('nobody') ? undefined : names[address]
      const sender =
        who === 'manager'
          ? { email: address, proven: isProven, claims: isProven ? undefined : claimed }
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
    const { id, assetId } = await reportOnWhatWorks('critical')
    const headers = { 'Authentication-Results': says() }
    const page = async () => (await house.page('guest', `/assets/${assetId}`))('main').text()
    await house.emails({
      from: 'manager@example.com',
      headers,
      subject: `[INC-${id}]`,
      text: 'Safe, says a mail.',
    })
    expect(await page()).not.toContain('Safe, says a mail.')
    await office.answers(id, 'Not safe yet.', { onStatusPage: true })
    expect(await page()).toContain('Not safe yet.')
    await house.emails({
      from: 'manager@example.com',
      headers,
      subject: `[INC-${id}]`,
      text: 'Safe after all.',
    })
    expect(await page()).toContain('Not safe yet.')
    expect(await page()).not.toContain('Safe after all.')
    for (const path of ['/', '/display']) {
      expect((await house.page('guest', path))('body').text()).not.toContain('Safe after all.')
    }
  })

  it('of the app and of people who left is nobody, whatever the verdict', async () => {
    config.email.authserv = ours
    const path = `/api/admin/users/${await userIdOf('anil.mistry@example.com')}`
    await house.json('admin', path, { method: 'PATCH', json: { active: false } })
    const headers = { 'Authentication-Results': says() }
    for (const from of ['anil.mistry@example.com', 'App <mobile-reporter@caretaker.invalid>']) {
      const { incidentId } = await house.emails({ from, headers, subject: 'Left', text: 'x' })
      expect((await house.json('guest', `/api/incidents/${incidentId}`)).reporterName).toBe('By email')
    }
  })
})

describe('an email to a report without a name', () => {
  it('that lists addresses does not find out whose it is, or who has an account', async () => {
    const bodies = await Promise.all(
      (['resident@example.com', 'george.adeyemi@example.com'] as const).map(async (email) => {
        const id = await house.report({ reporter: email, isAnonymous: true, severity: 'low' })
        const text =
          'Is it resident@example.com, george.adeyemi@example.com, nobody@elsewhere.example or 020 7946 0018? Ada Lowe.'
        await house.emails({ from: '"Ada Lowe" <ada@x.example>', subject: `[INC-${id}]`, text })
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
      await house.emails({ from, headers, subject: `[INC-${id}]`, text: 'Me, too.' })
    const shown = async (who: Who, field: string) =>
      (await house.json(who, `/api/incidents/${id}`)).updates.map((each: any) => each[field])
    expect(await shown('guest', 'authorName')).toEqual(Array(2).fill('By email'))
    expect(await shown('manager', 'claimedName')).toEqual(Object.values(claims))
  })

  it('from whoever proves to be somebody is theirs', async () => {
    config.email.authserv = ours
    const id = await house.report({ reporter: 'admin', isAnonymous: true, severity: 'low' })
    const headers = { 'Authentication-Results': says() }
    await house.emails({
      from: 'george.adeyemi@example.com',
      headers,
      subject: `[INC-${id}]`,
      text: 'Me, too.',
    })
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
      const { incidentId } = await house.emails({
        from: '"Ada Lowe" <ada@x.example>',
        subject: 'Re: Mrs Lowe’s report',
        ...given,
      })
      const { title, description } = await house.json('guest', `/api/incidents/${incidentId}`)
      expect([title, description]).toEqual(['Re: Mrs [removed]’s report', '[removed] again.'])
    }
    const from = '"Ada Lowe" <ada@x.example>'
    const { incidentId } = await house.emails({ from, subject: 'Lowe’s', text: 'Ada Lowe' })
    const { title, description } = await house.json('guest', `/api/incidents/${incidentId}`)
    expect([title, description]).toEqual(['Lowe’s', 'Ada Lowe'])
  })

  it('keeps names where nobody hides', async () => {
    const { id } = await reportOnWhatWorks()
    await house.emails({ from: 'ada@x.example', subject: `[INC-${id}]`, text: 'Maya Okafor knows.' })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates[0].body).toBe('Maya Okafor knows.')
  })

  it('gives nobody a link of ours that acts for its reader', async () => {
    const { id } = await reportOnWhatWorks()
    const text = 'Words.\nStop: https://h.example/unsubscribe/NC5hbGw.abc and /reset-password/xyz here'
    await house.emails({ from: 'ada@x.example', subject: `[INC-${id}]`, text })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates[0].body).not.toMatch(/abc|xyz/)
  })
})

const names = {
  'resident@example.com': 'Maya Okafor',
  'board@example.com': 'Eleanor Whitcombe',
  'manager@example.com': 'Tomasz Zieliński',
  'admin@example.com': 'Priya Raman',
  'nobody@example.com': 'By email',
} as const

/**
 * `authserv`: the server that is believed, ours by default. `isProven`: whether the headers prove
 * `address`.
 */
type Case = {
  what: string
  authserv?: string | null
  headers?: unknown
  address: keyof typeof names
  isProven: boolean
}

const ours = 'mx.house.example'

/** What an email server says of a sender: that they are proven, by default. */
function says(words = 'dmarc=pass header.from=example.com', server = 'mx.house.example') {
  return `${server}; ${words}`
}

/** A report on something that works; a critical one puts it out of service. */
async function reportOnWhatWorks(severity: Severity = 'low'): Promise<{ id: number; assetId: number }> {
  const { assets } = await house.json('guest', '/api/status')
  const assetId = assets.find(({ status }: { status: string }) => status === 'operational').id
  return { id: await house.report({ reporter: 'admin', assetId, title: 'Stuck', severity }), assetId }
}
