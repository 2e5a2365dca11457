import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { maya } from '../../support/house/people.js'
import { type GivenReport, report } from '../../support/house/report.js'
import { column, scalar } from '../../support/rows.js'

const onReport = '/incidents/:id'
const moved = 'incident.status_changed'

describe.skipIf(withoutBrowser).each([true, false])(
  'a button that acts at one tap, scripts %s',
  (scripts) => {
    const house = useHouse()
    const browser = useBrowser()

    it.each<Tap>([
      {
        name: 'acknowledge on the desk',
        who: 'manager',
        on: {},
        path: '/admin?tab=new',
        button: onDesk,
        act: moved,
      },
      {
        name: 'start on the desk',
        who: 'manager',
        on: { status: 'acknowledged' },
        path: '/admin?tab=inProgress',
        button: onDesk,
        act: moved,
      },
      {
        name: 'mark as fixed on the desk',
        who: 'manager',
        on: { status: 'in_progress' },
        path: '/admin?tab=inProgress',
        button: onDesk,
        act: moved,
      },
      {
        name: 'mark as read on the desk',
        who: 'manager',
        on: { status: 'acknowledged' },
        path: '/admin?tab=replies',
        button: onDesk,
        act: 'incident.seen',
      },
      {
        name: 'confirm on its page',
        who: 'manager',
        on: { status: 'resolved' },
        path: '/admin/confirm/:id?returnTo=/admin',
        button: inMain('Confirm fixed'),
        act: 'incident.verified',
      },
      {
        name: 'acknowledge on the report',
        who: 'manager',
        on: {},
        path: onReport,
        button: inMain('Acknowledge'),
        act: moved,
      },
      {
        name: 'reopen on the report',
        who: 'manager',
        on: { status: 'resolved' },
        path: onReport,
        button: inMain('Reopen'),
        act: moved,
      },
      {
        name: 'I have this too',
        who: 'resident',
        on: { reporter: 'board' },
        path: onReport,
        button: inMain('I have this too'),
        act: 'incident.followed',
      },
      {
        name: 'unfollow',
        who: 'resident',
        on: {},
        path: onReport,
        button: inMain('Unfollow this report'),
        act: 'incident.unfollowed',
      },
      {
        name: 'yes, it’s fixed',
        who: 'resident',
        on: { status: 'resolved' },
        path: onReport,
        button: inMain('Yes, it’s fixed'),
        act: 'incident.verified',
      },
      {
        name: 'no, it isn’t fixed',
        who: 'resident',
        on: { status: 'resolved' },
        path: '/incidents/:id/verify',
        button: inMain('Say it isn’t fixed'),
        act: 'incident.reopened',
      },
    ])(
      'acts once at two taps, and at no way back or reload: $name',
      async ({ name, who, on, path, button, act }) => {
        const id = await report({ assetId: 3, title: name, severity: 'low', ...on })
        if (act === 'incident.seen') await maya.comments(id, 'Any news?')
        const before = await scalar<number>('select max(id) as id from audit_entries')
        const page = await browser.open({ javaScriptEnabled: scripts })
        await enterAs(page, house, who)
        await page.goto(house.origin() + path.replace(':id', String(id)))
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

function onDesk(page: Page, id: number) {
  return page.locator(`#row-${id} .act`)
}

function inMain(name: string) {
  return (page: Page) => page.getByRole('main').getByRole('button', { name, exact: true })
}

/**
 * A button that acts at one tap: where it is, on which report, and what of the
 * audit log it leaves, once.
 */
type Tap = {
  name: string
  who: 'manager' | 'resident'
  on: GivenReport
  path: string
  button: (page: Page, id: number) => Locator
  act: string
}
