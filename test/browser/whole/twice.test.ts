import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { aComment } from '../../support/builders/answers.js'
import { anIncident, type GivenIncident } from '../../support/builders/incident.js'
import { scalar } from '../../support/rows.js'

/** A button that acts at one tap: where it is, and what of the audit log it leaves, once. */
type Tap = {
  who: 'manager' | 'resident'
  on: GivenIncident
  path: (id: number) => string
  button: (page: Page, id: number) => Locator
  acts: string[]
}

const onDesk = (page: Page, id: number) => page.locator(`#row-${id} .act`)
const inMain = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const onReport = (id: number) => `/incidents/${id}`
const moved = ['incident.status_changed']

const taps: Record<string, Tap> = {
  'acknowledge on the desk': {
    who: 'manager',
    on: {},
    path: () => '/admin?tab=new',
    button: onDesk,
    acts: moved,
  },
  'start on the desk': {
    who: 'manager',
    on: { status: 'acknowledged' },
    path: () => '/admin?tab=inProgress',
    button: onDesk,
    acts: moved,
  },
  'mark as fixed on the desk': {
    who: 'manager',
    on: { status: 'in_progress' },
    path: () => '/admin?tab=inProgress',
    button: onDesk,
    acts: moved,
  },
  'mark as read on the desk': {
    who: 'manager',
    on: { status: 'acknowledged' },
    path: () => '/admin?tab=replies',
    button: onDesk,
    acts: ['incident.seen'],
  },
  'confirm on its page': {
    who: 'manager',
    on: { status: 'resolved' },
    path: (id) => `/admin/confirm/${id}?returnTo=/admin`,
    button: inMain('Confirm fixed'),
    acts: ['incident.verified'],
  },
  'acknowledge on the report': {
    who: 'manager',
    on: {},
    path: onReport,
    button: inMain('Acknowledge'),
    acts: moved,
  },
  'reopen on the report': {
    who: 'manager',
    on: { status: 'resolved' },
    path: onReport,
    button: inMain('Reopen'),
    acts: moved,
  },
  'I have this too': {
    who: 'resident',
    on: { reporter: 'board' },
    path: onReport,
    button: inMain('I have this too'),
    acts: ['incident.followed'],
  },
  unfollow: {
    who: 'resident',
    on: {},
    path: onReport,
    button: inMain('Unfollow this report'),
    acts: ['incident.unfollowed'],
  },
  'yes, it’s fixed': {
    who: 'resident',
    on: { status: 'resolved' },
    path: onReport,
    button: inMain('Yes, it’s fixed'),
    acts: ['incident.verified'],
  },
  'no, it isn’t fixed': {
    who: 'resident',
    on: { status: 'resolved' },
    path: onReport,
    button: inMain('No, it isn’t fixed'),
    acts: ['incident.reopened'],
  },
}

describe.skipIf(withoutBrowser).each([true, false])(
  'a button that acts at one tap, scripts %s',
  (scripts) => {
    const app = useApp()
    const browser = useBrowser()

    it.each(Object.entries(taps))(
      'acts once at two taps, and at no way back or reload: %s',
      async (name, tap) => {
        const id = await anIncident({ assetId: 3, title: name, severity: 'low', ...tap.on })
        if (tap.acts.includes('incident.seen')) await aComment(id, { body: 'Any news?' })
        const before = await scalar<number>('select max(id) as id from audit_entries')
        const left = async () => {
          const rows = await query<{ action: string }>(
            `select action from audit_entries where entity = 'incident' and entity_id = $1 and id > $2 order by id`,
            [id, before],
          )
          return rows.map(({ action }) => action)
        }
        const page = await browser.open({ javaScriptEnabled: scripts })
        await enterAs(page, app, tap.who)
        await page.goto(app.origin() + tap.path(id))
        await tap.button(page, id).dblclick()
        // Without scripts the second tap sends the form again, and the browser drops the first answer.
        await expect.poll(() => page.url()).toMatch(/notice=/)
        await page.waitForLoadState('networkidle')
        for (const go of ['stay', 'reload', 'goBack', 'reload', 'goForward'] as const) {
          if (go !== 'stay') await page[go]()
          expect(await page.getByRole('heading', { level: 1 }).innerText(), go).not.toMatch(
            /problem|wrong|not/i,
          )
        }
        expect(await left()).toEqual(tap.acts)
        expect(browser.complaints.splice(0)).toEqual([])
      },
    )
  },
)
