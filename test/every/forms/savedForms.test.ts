import type { CheerioAPI } from 'cheerio'
import { expect, it } from 'vitest'
import { useApp } from '../../support/app.js'

const app = useApp()

/** What a browser sends of the form with this action, as it is shown. */
function sentBy(page: CheerioAPI, action: string): Record<string, string> {
  const form = page(`form[action="${action}"][method="post"]`).first()
  const named = form.find('select:not([disabled])').toArray()
  // Without a selected option a browser sends the first.
  const chosen = named.map((el) => {
    const options = page(el).find('option')
    return [page(el).attr('name')!, (options.filter('[selected]').attr('value') ?? options.attr('value'))!]
  })
  const rest = form.serializeArray().map(({ name, value }) => [name, value])
  return { ...Object.fromEntries(rest), ...Object.fromEntries(chosen) }
}

it('a form of the office that is saved as it is shown changes nothing', async () => {
  await app.json('admin', '/api/admin/templates', { json: { name: 'Without a status' } })
  await app.json('admin', '/api/admin/webhooks', {
    json: { url: 'https://93.184.216.34/hook', events: ['incident.created'], active: false },
  })
  const lists = ['assets', 'towers', 'contacts', 'units', 'maintenance', 'templates', 'users', 'webhooks']
  const paths = await Promise.all(
    lists.map(async (list) => {
      const records: { id: number; isMobileReporter?: boolean }[] = await app.json(
        'admin',
        `/api/admin/${list}?limit=100`,
      )
      // The account of the app is nobody's to change.
      return records
        .filter(({ isMobileReporter }) => !isMobileReporter)
        .map(({ id }) => `/admin/${list}/${id}`)
    }),
  )
  const changed: string[] = []
  for (const path of ['/admin/property', ...paths.flat()]) {
    const before = await app.json('admin', `/api${path}`)
    const page = await app.page('admin', path)
    const form = sentBy(page, path)
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    const answer = await app.ask('admin', path, { form, headers })
    const after = await app.json('admin', `/api${path}`)
    if (answer.status !== 303 || JSON.stringify(after) !== JSON.stringify(before))
      changed.push(`${path}: ${answer.status} ${JSON.stringify(after)}`)
  }
  expect(changed).toEqual([])
})
