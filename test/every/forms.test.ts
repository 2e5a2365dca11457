import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldEmail } from '../support/email/heldEmails.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { type Examples, examplesOf, pageRoutes } from '../support/pages.js'
import { formsWithButtons, meanings } from '../support/routes/assertions/formButtons.js'
import { refuseEach } from '../support/routes/assertions/refusedForms.js'
import { sentBy } from '../support/routes/assertions/savedForms.js'
import { perRun } from '../support/run/extent.js'
import { startSecondFactor } from '../support/secondFactor.js'

const house = useHouse()
beforeEach(() => forgetCounts())
afterEach(() => vi.useRealTimers())

it('a form of the office that is saved as it is shown changes nothing', async () => {
  await house.json('admin', '/api/admin/templates', { json: { name: 'Without a status' } })
  await house.json('admin', '/api/admin/webhooks', {
    json: { url: 'https://93.184.216.34/hook', events: ['incident.created'], active: false },
  })
  const lists = ['assets', 'towers', 'contacts', 'units', 'maintenance', 'templates', 'users', 'webhooks']
  const paths = await Promise.all(
    lists.map(async (list) => {
      const records: { id: number; isMobileReporter?: boolean }[] = await house.json(
        'admin',
        `/api/admin/${list}?limit=100`,
      )
      // The account of the app is not to be changed.
      return records
        .filter(({ isMobileReporter }) => !isMobileReporter)
        .map(({ id }) => `/admin/${list}/${id}`)
    }),
  )
  const changed: string[] = []
  for (const path of ['/admin/property', ...paths.flat()]) {
    const before = await house.json('admin', `/api${path}`)
    const page = await house.page('admin', path)
    const form = sentBy(page, path)
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    const answer = await house.ask('admin', path, { form, headers })
    const after = await house.json('admin', `/api${path}`)
    if (answer.status !== 303 || JSON.stringify(after) !== JSON.stringify(before))
      changed.push(`${path}: ${answer.status} ${JSON.stringify(after)}`)
  }
  expect(changed).toEqual([])
})

describe('the forms of every page', () => {
  let examples: Examples
  beforeAll(async () => {
    examples = await examplesOf(house)
  })

  describe('a refused form', () => {
    it('shows its errors and what was typed in itself alone, on every page with several', async () => {
      await heldEmail()
      await house.emails({ from: 'ada@outside.test', subject: 'Drip', text: 'It drips.' })
      const shown: string[] = []
      // The desk says in minutes and hours how old each row is: a page must not
      // differ from another by that.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      for (const { path, readers } of pageRoutes())
        for (const address of examples[path] ?? [])
          shown.push(...(await refuseEach(house, readers.at(-1)!, address)))
      const kinds = new Set(shown.map((action) => action.replace(/\d+/, ':id')))
      expect([...kinds].sort()).toEqual([
        '/account/followed',
        '/account/notifications',
        '/admin/acknowledge',
        '/admin/assets/:id',
        '/admin/held-emails/accept',
        '/admin/held-emails/discard',
        '/admin/units/:id',
        '/admin/users/:id',
        '/admin/webhooks/:id',
        '/incidents/:id/costs',
        '/incidents/:id/duplicates/preview',
        '/incidents/:id/edit',
        '/incidents/:id/merge/preview',
        '/incidents/:id/updates',
        '/report',
      ])
    })

    it('does so on the page of a second factor', async () => {
      const cookie = await house.signIn('board@example.com')
      await startSecondFactor(house, cookie)
      expect(await refuseEach(house, 'guest', '/account/second-factor', { cookie })).toEqual([
        '/account/second-factor/confirmation',
      ])
    })
  })

  describe('a form with several buttons and words to type', () => {
    it('is on the list that says what becomes of the words with each button', async () => {
      await heldEmail()
      const resolved = await house.report({ assetId: 1, status: 'resolved' })
      const pages = pageRoutes().flatMap(({ path, readers }) =>
        [...(examples[path] ?? []), ...(path === '/incidents/:id' ? [`/incidents/${resolved}`] : [])].flatMap(
          // Whoever is listed last is shown the most.
          (address) => perRun({ quick: readers.slice(-1), whole: readers }).map((who) => ({ who, address })),
        ),
      )
      expect(await formsWithButtons(house, pages)).toEqual(Object.keys(meanings).sort())
    })
  })
})
