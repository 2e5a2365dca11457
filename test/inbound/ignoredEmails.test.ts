import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ignoredEmails } from '../../src/inbound/limits.js'
import { type IgnoreReason, ignoreReasons } from '../../src/inbound/reasons.js'
import { query } from '../../src/platform/db/database.js'
import type { IncomingEmail } from '../support/email/incomingEmail.js'
import { forgetEmails } from '../support/email/receivedEmails.js'
import { useHouse } from '../support/house/house.js'
import { count } from '../support/rows.js'
import { itInWholeRun } from '../support/run/extent.js'

vi.hoisted(() => {
  process.env.MAIL_FROM = 'Our building <caretaker@house.example>'
  process.env.PUBLIC_URL = 'http://house.example'
})

const house = useHouse()
const { maya, office } = house

beforeEach(forgetEmails)

describe('an ignored email', () => {
  it.each(ignoreReasons)(
    '(%s) is shown to staff with its reason and words, and is not among those to sort',
    async (reason) => {
      const attachments = [{ filename: 'plan.pdf', contentBase64: 'JVBERi0=' }]
      const given = {
        from: 'Ada <ada@away.example>',
        subject: '<b>Away</b>',
        attachments,
        ...ignored[reason],
      }
      expect(await house.emails({ ...given, text: 'Call Eva7' })).toEqual({ action: 'ignored', reason })
      const [entry] = await query(
        'select actor_type, via, action from audit_entries order by id desc limit 1',
      )
      expect(entry).toEqual({ actorType: 'system', via: 'email', action: 'mail.ignored' })
      const { tabs } = await house.json('manager', '/api/admin')
      expect(tabs.find(({ tab }: { tab: string }) => tab === 'emails').total).toBe(0)
      for (const state of ['waiting', 'discarded']) expect(await list(state)).toEqual([])
      const [one] = await list()
      expect(one).toMatchObject({
        state: 'ignored',
        reason,
        subject: '<b>Away</b>',
        attachments: ['plan.pdf'],
      })
      expect(one.text).toBe('Call Eva7')
      expect(one.mark).toMatch(marks[reason])
      const page = await house.page('manager', '/admin/held-emails?state=ignored')
      expect(page('.desk .title').text()).toBe('<b>Away</b>')
      expect(page('.desk').text()).toContain(one.mark)
      expect(page('.desk button[formaction]')).toHaveLength(0)
    },
  )

  it('becomes an incident by no one, once, whoever it says it is from', async () => {
    await away({ from: 'x <george.adeyemi@example.com>', subject: 'Smell', text: 'In the hall' })
    const [{ id }] = await list()
    const answer = await house.submit('board', '/admin/held-emails/accept', { only: String(id) })
    expect(answer.status).toBe(303)
    const [{ incidentId }] = await list('accepted')
    expect(await house.json('guest', `/api/incidents/${incidentId}`)).toMatchObject({
      title: 'Smell',
      description: 'In the hall',
      source: 'email',
      reporterName: 'By email',
    })
    const again = await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [id] } })
    expect(again).toMatchObject({ done: [], skipped: [{ id, code: 'email_sorted' }] })
  })

  it('that answers an incident is added to it, or to what that was merged into, and not made another', async () => {
    const [merged, root] = [await maya.reports(2), await maya.reports(2)]
    await office.merges(merged, root)
    for (const [tag, into] of [
      [root, root],
      [merged, root],
      [999_999, null],
    ]) {
      await away({ subject: `Re: [INC-${tag}] Smell`, text: `From ${tag}\n\n> You wrote this` })
      const page = await house.page('manager', '/admin/held-emails?state=ignored')
      expect(page('button[name="only"]').text()).toBe(`Add to INC-${tag}`)
      const [{ id }] = await list()
      const before = await count('incidents')
      const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
        json: { ids: [id] },
      })
      expect(await count('incidents')).toBe(before + (into === null ? 1 : 0))
      if (into === null) continue
      expect(incidentIds).toEqual([into])
      const { updates } = await house.json('guest', `/api/incidents/${into}`)
      expect(updates.at(-1)).toMatchObject({ body: `From ${tag}`, authorName: 'By email', via: 'email' })
      expect((await list('accepted'))[0]).toMatchObject({ id, incidentId: into })
    }
  })

  it('that answers an incident and only quotes adds nothing to it, and says so', async () => {
    const incident = await maya.reports(2, { title: 'Damp' })
    const history = 'On Mon, Eva Quill <eva@away.example> wrote:\n> Flat 7 told me in confidence'
    await away({ subject: `Re: [INC-${incident}] Damp`, text: history })
    const [{ id }] = await list()
    const before = await count('incident_updates')
    const answer = await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [id] } })
    expect(answer).toMatchObject({ done: [], skipped: [{ id, code: 'email_nothing_new' }], incidentIds: [] })
    const sent = await house.submit('manager', '/admin/held-emails/accept', { only: String(id) })
    expect(sent.headers.get('location')).toContain('notice=nothingNew')
    expect(await count('incident_updates')).toBe(before)
    expect((await list())[0]).toMatchObject({ id, incidentId: null })
    await away({ subject: `Re: [INC-${incident}] Damp`, text: `It is worse now.\n\n${history}` })
    const [{ id: other }] = await list()
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [other] } })
    const { updates } = await house.json('guest', `/api/incidents/${incident}`)
    expect(updates.at(-1).body).toBe('It is worse now.')
  })

  it('that quotes an email of ours shows none of its links', async () => {
    await house.emails({
      ...ignored.bounce,
      text: 'Returned: https://house.example/unsubscribe/secret-token here',
    })
    expect((await list())[0].text).toBe('Returned:  here')
  })
})

describe('a flood of ignored emails', () => {
  itInWholeRun('is kept up to a number of one hour, then counted; the audit log grows no more', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => away()))
    expect(answers).toEqual(Array(50).fill({ action: 'ignored', reason: 'automatic_reply' }))
    expect(await list()).toHaveLength(ignoredEmails.perDomain)
    expect(await query('select domain, emails from dropped_emails')).toEqual([
      { domain: 'away.example', emails: 50 - ignoredEmails.perDomain },
    ])
    const entries = await count('audit_entries')
    await away()
    expect(await count('audit_entries')).toBe(entries)
    await Promise.all(Array.from({ length: 130 }, (_, i) => away({ from: `x@d${i}.example` })))
    expect(await count('held_emails')).toBe(ignoredEmails.inAll)
  })

  it('of one domain takes the place of its own oldest, never of another or of what waits to be sorted', async () => {
    await query(
      `insert into held_emails (received_at, domain, reason, title, description, skipped, sorted_at)
       select now() - interval '1 day' - i * interval '1 minute', d, r, t, '', '{"refused":[],"later":[]}', at
       from (
         select i, 'loud.example' as d, 'bounce' as r, 'Loud ' || i as t, now() as at
           from generate_series(1, ${ignoredEmails.kept - 1}) i
         union all values (1440, 'rare.example', 'bounce', 'Rare', now()),
           (2880, 'loud.example', 'domain', 'Waits', null)
       ) emails`,
    )
    await away()
    expect(await count('held_emails')).toBe(ignoredEmails.kept + 1)
    const last = `Loud ${ignoredEmails.kept - 1}`
    const kept = await query('select title from held_emails where title = any ($1) order by title', [
      ['Rare', 'Waits', last],
    ])
    expect(kept).toEqual([{ title: 'Rare' }, { title: 'Waits' }])
  })
})

/** The mark by which each of them is recognised. */
const marks: Record<IgnoreReason, string | RegExp> = {
  own_address: 'from: caretaker@house.example',
  own_mail: /^message-id: <aB-_4/,
  bounce: 'from: postmaster@mx.example',
  automatic_reply: 'x-autorespond: away',
  calendar: 'text/calendar: reply',
}

/** An email that is ignored for each reason. */
const ignored: Record<IgnoreReason, Record<string, unknown>> = {
  own_address: { from: 'caretaker@house.example' },
  own_mail: { messageId: `<${'aB-_4'.repeat(5)}aB@house.example>` },
  bounce: { from: 'postmaster@mx.example' },
  automatic_reply: { headers: { 'X-Autorespond': 'away' } },
  calendar: { headers: { 'Content-Type': 'text/calendar; method=REPLY' } },
}

/** An automatic reply, which is ignored. */
function away(given: IncomingEmail = {}) {
  return house.emails({ from: 'Ada <ada@away.example>', ...ignored.automatic_reply, ...given })
}

function list(state = 'ignored') {
  return house.json('manager', `/api/admin/held-emails?state=${state}`)
}
