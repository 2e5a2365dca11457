import { beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Who } from '../../support/app.js'

const app = useApp()
const note = 'Reported as unusable, not confirmed yet.'
let assetId = 0
let lamps = 0

beforeEach(async () => {
  const json = { towerId: 1, name: `Lamp ${++lamps}`, category: 'Light' }
  assetId = (await app.json('manager', '/api/admin/assets', { json })).id
})
const report = async (who: Who, severity: string, more: object = {}): Promise<number> =>
  (await app.json(who, '/api/incidents', { json: { assetId, title: 'Dark', severity, ...more } })).id
const answer = (id: number, json: object) => app.json('manager', `/api/incidents/${id}/updates`, { json })

/** What a guest reads of the asset on the status page, and on its own. */
async function shown(): Promise<string[]> {
  const [status, own] = await Promise.all(['/', `/assets/${assetId}`].map((path) => app.page('guest', path)))
  const card = status!(`h3:has(a[href="/assets/${assetId}"])`).first().closest('li').text()
  return [card, own!('section.overall').text()]
}

describe('what is reported as unusable', () => {
  it.each(['high', 'critical'])(
    'is said to be unconfirmed until the office has seen it (%s)',
    async (severity) => {
      const id = await report('resident', severity)
      for (const text of await shown()) expect(text).toContain(note)
      await answer(id, { body: 'Seen.', newStatus: 'acknowledged' })
      for (const text of await shown()) expect(text).not.toContain(note)
    },
  )

  it.each([
    ['resident', 'medium', {}],
    ['manager', 'critical', {}],
  ] as const)('is not said of what %s reports as %s', async (who, severity, more) => {
    await report(who, severity, more)
    for (const text of await shown()) expect(text).not.toContain(note)
  })

  it('is said whoever an anonymous reporter is', async () => {
    await report('manager', 'critical', { isAnonymous: true })
    for (const text of await shown()) expect(text).toContain(note)
  })

  it('is not said again of what the office knows to be out of service', async () => {
    await answer(await report('resident', 'critical'), { body: 'Seen.', newStatus: 'acknowledged' })
    await report('resident', 'critical')
    for (const text of await shown()) expect(text).not.toContain(note)
  })

  it('is confirmed by staff with one button, which nobody else has', async () => {
    const id = await report('resident', 'high')
    const page = await app.page('manager', `/assets/${assetId}`)
    const form = page('form[action="/admin/acknowledge"]')
    expect(form.find('input[name="ids"]').val()).toBe(String(id))
    expect(
      (await app.page('resident', `/assets/${assetId}`))('form[action="/admin/acknowledge"]').length,
    ).toBe(0)
    const sent = await app.ask('manager', '/admin/acknowledge', {
      form: { ids: String(id) },
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    expect(sent.status).toBe(303)
    for (const text of await shown()) expect(text).not.toContain(note)
  })

  it('stands beside the office’s last word on it, as soon as that is said', async () => {
    const id = await report('resident', 'high')
    await answer(id, { body: 'The fitter comes at six.', newStatus: 'in_progress' })
    for (const text of await shown()) expect(text).toContain('The fitter comes at six.')
  })
})
