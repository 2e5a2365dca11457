import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../src/vocabulary/limits.js'
import type { Severity } from '../../src/vocabulary/severity.js'
import { userIdOf } from '../support/accounts.js'
import type { Person } from '../support/house/acting.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'

const note = 'Reported as out of service. Not confirmed yet.'
const mildNote = 'Reported as not working properly. Not confirmed yet.'

const house = useHouse()
const { office } = house
let assetId = 0
beforeEach(async () => {
  assetId = await house.lift()
})

describe('what is reported as unusable', () => {
  it.each([
    ['critical', note],
    ['high', note],
    ['medium', mildNote],
  ] as const)('is said to be unconfirmed until the office has seen it (%s)', async (severity, words) => {
    const id = await reportOutage('resident', severity)
    for (const text of await shown()) expect(text).toContain(words)
    await office.acknowledges(id, 'Seen.')
    for (const text of await shown()) expect(text).not.toContain('Not confirmed yet')
  })

  it('is not said of what the office reports', async () => {
    await reportOutage('manager', 'medium')
    await reportOutage('manager', 'critical')
    for (const text of await shown()) expect(text).not.toContain('Not confirmed yet')
  })

  it('is not said of what works, although it looks bad', async () => {
    await reportOutage('resident', 'low')
    expect((await shown())[1]).not.toContain('Not confirmed yet')
  })

  it('says the worst of several reports, and not what the office knows already', async () => {
    await office.acknowledges(await reportOutage('resident', 'medium'), 'Seen.')
    await reportOutage('board@example.com', 'medium', { isAnonymous: true })
    for (const text of await shown()) expect(text).not.toContain('Not confirmed yet')
    await reportOutage('resident', 'high')
    for (const text of await shown()) {
      expect(text).toContain(note)
      expect(text).not.toContain(mildNote)
    }
  })

  it('is said whoever an anonymous reporter is', async () => {
    await reportOutage('manager', 'critical', { isAnonymous: true })
    for (const text of await shown()) expect(text).toContain(note)
  })

  it('is not said again of what the office knows to be out of service', async () => {
    await office.acknowledges(await reportOutage('resident', 'critical'), 'Seen.')
    await reportOutage('resident', 'critical')
    for (const text of await shown()) expect(text).not.toContain(note)
  })

  it('is confirmed by staff with one button, which nobody else has', async () => {
    const id = await reportOutage('resident', 'high')
    const page = await house.page('manager', `/assets/${assetId}`)
    const form = page('form[action="/admin/acknowledge"]')
    expect(form.find('input[name="ids"]').val()).toBe(String(id))
    expect(
      (await house.page('resident', `/assets/${assetId}`))('form[action="/admin/acknowledge"]').length,
    ).toBe(0)
    for (const notice of ['confirmed', 'noneDone']) {
      const sent = await house.submit('manager', '/admin/acknowledge', {
        ids: String(id),
        onAsset: form.find('input[name="onAsset"]').val() as string,
      })
      expect([sent.status, sent.headers.get('location')]).toEqual([
        303,
        `/assets/${assetId}?notice=${notice}`,
      ])
    }
    for (const text of await shown()) expect(text).not.toContain(note)
  })

  it('is confirmed with one button for no more than the office may confirm at once', async () => {
    for (let n = 0; n <= limits.recordsPerRequest; n++) await reportOutage('resident', 'high')
    const form = (await house.page('manager', `/assets/${assetId}`))('form[action="/admin/acknowledge"]')
    expect(form.find('input[name="ids"]')).toHaveLength(limits.recordsPerRequest)
  })

  it('stands beside the office’s last word on it, as soon as that is said', async () => {
    const id = await reportOutage('resident', 'high')
    await office.starts(id, 'The fitter comes at six.')
    for (const text of await shown()) expect(text).toContain('The fitter comes at six.')
  })

  it('is said or not as the reporter’s role is now, in views that were kept, too', async () => {
    await reportOutage('resident', 'high')
    for (const [role, isSaid] of [
      ['board', false],
      ['resident', true],
    ] as const) {
      const id = await userIdOf('resident@example.com')
      await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { role } })
      for (const text of await shown()) expect(text.includes(note)).toBe(isSaid)
    }
  })
})

const reportOutage = (reporter: Person, severity: Severity, more: GivenReport = {}) =>
  house.report({ reporter, assetId, title: 'Dark', severity, ...more })

/** What a guest reads of the asset on the status page, and on its own. */
async function shown(): Promise<string[]> {
  const [status, own] = await Promise.all(
    ['/', `/assets/${assetId}`].map((path) => house.page('guest', path)),
  )
  const card = status!(`h3:has(a[href="/assets/${assetId}"])`).first().closest('li').text()
  return [card, own!('section.overall').text()]
}
