import { type CheerioAPI, load } from 'cheerio'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { closingReasons } from '../../../src/vocabulary/lifecycle.js'
import { chatBody } from '../../../src/webhooks/sending/chatBody.js'
import { claimDeliveries } from '../../../src/webhooks/sending/deliveryQueries.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { type Examples, examplesOf, pageRoutes } from '../../support/pages.js'
import { perRun } from '../../support/run/extent.js'
import { eachWithEach } from '../../support/tables.js'

const house = useHouse()
const { board } = house
const unrepaired = closingReasons.filter((reason) => reason !== 'fixed')

describe('what was closed without a repair', () => {
  const readers = perRun({
    quick: [['resident', 'es'] as const],
    whole: (['guest', 'resident', 'board', 'manager', 'admin'] as const).flatMap((who) =>
      (['en', 'es'] as const).map((locale) => [who, locale] as const),
    ),
  })

  let examples: Examples

  beforeAll(async () => {
    examples = await examplesOf(house)
    await query(
      `update incidents set closing_reason = ($1::text[])[1 + id % 3] where status in ('resolved', 'verified')`,
      [unrepaired],
    )
    await query(
      `update incident_updates set closing_reason = ($1::text[])[1 + incident_id % 3]
       where new_status in ('resolved', 'verified')`,
      [unrepaired],
    )
  })

  it.each(readers)('is called fixed on no page that %s opens in %s', async (who, locale) => {
    if (who !== 'guest') await setLocale(who, locale)
    const paths = pageRoutes()
      // What a template will set is a choice, too; and the design page shows every word there is.
      .filter(({ path, readers }) => readers.includes(who) && !/templates|design/.test(path))
      .flatMap(({ path }) => examples[path] ?? [])
    const said = new Map<string, string>()
    onTestFinished(async () => void (who !== 'guest' && (await setLocale(who, 'en'))))
    for (const path of paths) {
      const answer = await house.ask(who, path, {
        headers: { accept: 'text/html', 'accept-language': locale },
      })
      if (!/html/.test(answer.headers.get('content-type') ?? '')) continue
      said.set(path, saidOn(load(await answer.text())))
    }
    const wrong = [...said].flatMap(([path, text]) => fixedIn(text).map((words) => `${path}: ${words}`))
    expect(wrong).toEqual([])
    const closed = Object.values(texts[locale].answers.closedStatus)
    expect(
      [...said.values()].filter((text) => closed.some((words) => text.includes(words))).length,
    ).toBeGreaterThan(3)
  })

  it('is called fixed in no feed', async () => {
    for (const path of ['/feed.atom', '/assets/1/feed.atom', '/api/v2/summary.json', '/calendar.ics']) {
      const answer = await house.ask('guest', path)
      expect([path, answer.status, fixedIn(await answer.text())]).toEqual([path, 200, []])
    }
  })

  const ends = perRun({
    quick: { everyValue: true },
    whole: eachWithEach(unrepaired, ['resolved', 'verified'] as const),
  })
  it.each(ends)('is called %s in emails, pushes and chats once %s', async (reason, status) => {
    const [url, events] = ['https://chat.example.org/hook', ['incident.status_changed']]
    const { id: hookId } = await house.json('admin', '/api/admin/webhooks', {
      json: { url, events, format: 'slack' },
    })
    await house.json('resident', '/api/devices', { json: { token: 'phone of Maya', platform: 'ios' } })
    const id = await house.report({ title: `${reason} ${status}`, severity: 'high', status: 'acknowledged' })
    await board.follows(id)
    await emptyOutbox()
    const answer = (json: object) => house.json('manager', `/api/incidents/${id}/updates`, { json })
    await answer({ body: 'We have looked.', newStatus: status, closingReason: reason })
    await answer({ body: 'A word.' })
    const word = texts.en.answers.closedStatus[reason]
    const { emails, pushes } = await takeMessages()
    const about = emails.filter(({ subject }) => subject.includes(`INC-${id}`))
    expect(about.some(({ text }) => text.includes(`${word}: ${reason}`))).toBe(true)
    expect(about.flatMap(({ subject, text, html }) => fixedIn(`${subject} ${text} ${html}`))).toEqual([])
    expect(pushes.map(({ title }) => title)).toContain(`${word} · INC-${id}`)
    const { claimed } = await claimDeliveries(new Map([[hookId, 10]]))
    const chats = claimed.map((each) => chatBody('slack', { ...each, locale: 'en' }))
    expect(chats.filter((chat) => chat.includes(word))).toHaveLength(1)
    expect(chats.flatMap(fixedIn)).toEqual([])
    await house.json('admin', `/api/admin/webhooks/${hookId}`, { method: 'PATCH', json: { active: false } })
  })

  it('is told as its email was meant, when it was repaired after all before that left', async () => {
    const id = await house.report({ title: 'Closed, then mended', severity: 'high', status: 'in_progress' })
    await emptyOutbox()
    const answer = (json: object) => house.json('manager', `/api/incidents/${id}/updates`, { json })
    await answer({ body: 'Not ours.', newStatus: 'resolved', closingReason: 'not_ours' })
    await answer({ body: 'Ours after all.', newStatus: 'in_progress' })
    await answer({ body: 'Mended.', newStatus: 'resolved' })
    const { emails } = await takeMessages()
    const states = emails.map(({ text }) => /^([^:\n]*):.* Closed, then mended$/m.exec(text)?.[1])
    expect(states).toEqual(['Closed', 'Being worked on', 'Marked as fixed'])
  })

  it('is fixed once somebody confirms that', async () => {
    const id = await house.report({ status: 'resolved', closingReason: 'no_fault_found' })
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: true } })
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({
      status: 'verified',
      closingReason: 'fixed',
      updates: [{ closingReason: 'no_fault_found' }, { newStatus: 'verified', closingReason: 'fixed' }],
    })
    const $ = await house.page('guest', `/incidents/${id}`)
    expect($('[aria-current=step]').text()).toBe('Confirmed fixed')
  })
})

/** The words of a text that say, in any language, that what is closed was repaired. */
function fixedIn(text: string): string[] {
  const fixed = Object.values(texts).flatMap(({ status, statusMeaning }) => [
    status.resolved,
    status.verified,
    statusMeaning.resolved,
    statusMeaning.verified,
  ])
  return fixed.filter((words) => text.includes(words))
}

function setLocale(who: Who, locale: 'en' | 'es') {
  return house.json(who, '/api/account', { method: 'PATCH', json: { locale } })
}

/** The words of a page but for what may be chosen, has been chosen, and the steps to come. */
function saidOn($: CheerioAPI): string {
  $('select, .chosen, .steps .ahead').remove()
  return `${$('title').text()} ${$('body').text()}`.replace(/\s+/g, ' ')
}
