import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { aComment } from '../../support/builders/answers.js'
import { anIncident, type GivenIncident } from '../../support/builders/incident.js'
import { column, scalar } from '../../support/rows.js'

const onDesk = (page: Page, id: number) => page.locator(`#row-${id} .act`)
const inMain = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const onReport = '/incidents/:id'
const moved = 'incident.status_changed'

/**
 * A button that acts at one tap: where it is, on which report, and what of the
 * audit log it leaves, once.
 */
type Tap = [
  name: string,
  who: 'manager' | 'resident',
  on: GivenIncident,
  path: string,
  button: (page: Page, id: number) => Locator,
  act: string,
]

// biome-ignore format: a table is read by columns
const taps: Tap[] = [
  ['acknowledge on the desk', 'manager', {}, '/admin?tab=new', onDesk, moved],
  ['start on the desk', 'manager', { status: 'acknowledged' }, '/admin?tab=inProgress', onDesk, moved],
  ['mark as fixed on the desk', 'manager', { status: 'in_progress' }, '/admin?tab=inProgress', onDesk, moved],
  ['mark as read on the desk', 'manager', { status: 'acknowledged' }, '/admin?tab=replies', onDesk, 'incident.seen'],
  ['confirm on its page', 'manager', { status: 'resolved' }, '/admin/confirm/:id?returnTo=/admin', inMain('Confirm fixed'), 'incident.verified'],
  ['acknowledge on the report', 'manager', {}, onReport, inMain('Acknowledge'), moved],
  ['reopen on the report', 'manager', { status: 'resolved' }, onReport, inMain('Reopen'), moved],
  ['I have this too', 'resident', { reporter: 'board' }, onReport, inMain('I have this too'), 'incident.followed'],
  ['unfollow', 'resident', {}, onReport, inMain('Unfollow this report'), 'incident.unfollowed'],
  ['yes, it’s fixed', 'resident', { status: 'resolved' }, onReport, inMain('Yes, it’s fixed'), 'incident.verified'],
  ['no, it isn’t fixed', 'resident', { status: 'resolved' }, '/incidents/:id/verify', inMain('Say it isn’t fixed'), 'incident.reopened'],
]

describe.skipIf(withoutBrowser).each([true, false])(
  'a button that acts at one tap, scripts %s',
  (scripts) => {
    const app = useApp()
    const browser = useBrowser()

    it.each(taps)(
      'acts once at two taps, and at no way back or reload: %s',
      async (name, who, on, path, button, act) => {
        const id = await anIncident({ assetId: 3, title: name, severity: 'low', ...on })
        if (act === 'incident.seen') await aComment(id, { body: 'Any news?' })
        const before = await scalar<number>('select max(id) as id from audit_entries')
        const page = await browser.open({ javaScriptEnabled: scripts })
        await enterAs(page, app, who)
        await page.goto(app.origin() + path.replace(':id', String(id)))
        await button(page, id).dblclick()
        // Without scripts the second tap sends the form again, and the
        // browser drops the first answer.
        await expect.poll(() => page.url()).toMatch(/notice=/)
        await page.waitForLoadState('networkidle')
        for (const go of ['stay', 'reload', 'goBack', 'reload', 'goForward'] as const) {
          if (go !== 'stay') await page[go]()
          expect(await page.getByRole('heading', { level: 1 }).innerText(), go).not.toMatch(
            /problem|wrong|not/i,
          )
        }
        const left = await column<string>(
          `select action from audit_entries where entity = 'incident' and entity_id = $1 and id > $2 order by id`,
          [id, before],
        )
        expect(left).toEqual([act])
        expect(browser.complaints.splice(0)).toEqual([])
      },
    )
  },
)
