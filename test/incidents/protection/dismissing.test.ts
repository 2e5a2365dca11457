import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { statuses } from '../../../src/vocabulary/lifecycle.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { perRun } from '../../support/run/extent.js'
import { outsiders, surfaces } from './surfaces.js'

const house = useHouse()
const { office } = house
let assetId: number
let n = 0

beforeAll(async () => {
  assetId = await house.asset({ name: 'Noticeboard', category: 'Board' })
})

describe('what is not a report', () => {
  it('counts for nothing and is in no list that residents read, from then on and of what was', async () => {
    const clean = await status()
    const id = await reportFlyer({ createdAt: new Date(Date.now() - 2 * 86_400_000) })
    const title = `Pizza flyer ${n}`
    await office.acknowledges(id, 'Looking')
    // Recorded since the report, and out of service all the time.
    expect(await status()).toMatchObject({ status: 'down', uptime90: '0.00' })
    await act(id, 'dismiss')
    expect(await status()).toEqual(clean)
    for (const [n, who] of outsiders.entries())
      for (const [path, accept] of perRun({ quick: { every: 6, from: n }, whole: surfaces([], assetId) })) {
        // Who reported it finds it among their own, with what became of it.
        if (who === 'resident' && /\/(my-reports|account\/data)$/.test(path)) continue
        const text = await (await house.ask(who, path, { headers: { accept } })).text()
        expect.soft(text.includes(title), `${path} as ${who}`).toBe(false)
      }
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({
      notAReport: true,
      status: 'verified',
    })
    expect((await house.page('guest', `/incidents/${id}`))('main').text()).not.toContain('Confirmed fixed')
    const listed = await house.json('manager', `/api/incidents?assetId=${assetId}`)
    expect(listed[0]).toMatchObject({ id, notAReport: true })
  })

  it('and was commented on while it was dismissed waits in "Replies" once that is undone', async () => {
    const id = await reportFlyer({ status: 'in_progress' })
    const replies = async () => {
      const { rows } = await house.json('manager', '/api/admin?tab=replies')
      return rows.map((row: { id: number }) => row.id)
    }
    await act(id, 'dismiss')
    await house.json('resident', `/api/incidents/${id}/updates`, { json: { body: 'It is real' } })
    expect(await replies()).toContain(id)
    await act(id, 'reinstate')
    expect(await replies()).toContain(id)
  })

  it.each(statuses)('and was %s is as before once that is undone', async (was) => {
    const id = await reportFlyer({ status: was })
    const [before, shown] = [await stored(id), await status()]
    await act(id, 'dismiss')
    await act(id, 'dismiss')
    expect(await stored(id)).not.toEqual(before)
    await act(id, 'reinstate')
    await act(id, 'reinstate')
    expect(await stored(id)).toEqual(before)
    expect((await status()).status).toBe(shown.status)
    const acts = await query<{ action: string }>(
      `select action from audit_entries where entity_id = $1 and action in ('incident.dismissed', 'incident.reinstated')
         order by id`,
      [id],
    )
    expect(acts.map(({ action }) => action)).toEqual(['incident.dismissed', 'incident.reinstated'])
    await act(id, 'dismiss')
  })

  it('is told kindly to who reported it, unless it was undone before the email left', async () => {
    const id = await reportFlyer()
    await emptyOutbox()
    await act(id, 'dismiss')
    const notified = (await takeMessages()).emails.filter(({ to }) => to.address === 'resident@example.com')
    expect(notified.map(({ text }) => text)).toEqual([expect.stringContaining('Not a report: ')])
    expect(notified[0]!.text).toContain('The office has closed this')
    expect(notified[0]!.text).not.toContain('fixed')
    await act(id, 'reinstate')
    await emptyOutbox()
    await act(id, 'dismiss')
    await act(id, 'reinstate')
    const late = (await takeMessages()).emails.filter(({ to }) => to.address === 'resident@example.com')
    expect(JSON.stringify(late)).not.toContain('Not a report')
    await act(id, 'dismiss')
  })

  it('takes its expected end from the followers of its asset, and gives it back once that is undone', async () => {
    const news = async () =>
      (await query(`select from email_events where event = 'expected' and asset_id = $1`, [assetId])).length
    const id = await reportFlyer({ expectedBackAt: new Date('2099-01-01T00:00:00Z') })
    const before = await news()
    await act(id, 'dismiss')
    expect(await news()).toBe(before + 1)
    await act(id, 'reinstate')
    expect(await news()).toBe(before + 2)
    await act(id, 'dismiss')
  })

  it('can be neither corrected nor merged, and a survivor cannot become it', async () => {
    const [id, other] = [await reportFlyer(), await reportFlyer()]
    await act(id, 'dismiss')
    const refused = async (path: string, method: string, json: object) =>
      (await house.ask('manager', `/api/incidents/${path}`, { method, json })).status
    expect(await refused(`${id}`, 'PATCH', { title: 'x' })).toBe(409)
    expect(await refused(`${id}/merge`, 'POST', { targetId: other })).toBe(409)
    expect(await refused(`${other}/merge`, 'POST', { targetId: id })).toBe(409)
    await act(id, 'reinstate')
    expect(await refused(`${id}/merge`, 'POST', { targetId: other })).toBe(200)
    expect(await refused(`${other}/dismiss`, 'POST', {})).toBe(409)
    expect(await refused(`${id}/dismiss`, 'POST', {})).toBe(409)
  })
})

function reportFlyer(given: GivenReport = {}): Promise<number> {
  n += 1
  return house.report({ assetId, title: `Pizza flyer ${n}`, severity: 'critical', ...given })
}

function act(id: number, verb: 'dismiss' | 'reinstate') {
  return office.json(`/api/incidents/${id}/${verb}`, { json: {} })
}

/** The noticeboard as the status has it. */
async function status() {
  const { assets } = await house.json('guest', '/api/status')
  return assets.find(({ id }: { id: number }) => id === assetId)
}

/** All that is stored of an incident and what it did to its asset, but for its timeline. */
function stored(id: number) {
  return query(
    `select i.*, (select json_agg(r order by started_at) from asset_impacts r where r.incident_id = i.id) as impacts
     from incidents i where i.id = $1`,
    [id],
  )
}
