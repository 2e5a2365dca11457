import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useDatabase } from '../../support/database.js'
import { impactFaults } from '../../support/impacts.js'
import { perRun } from '../../support/run/extent.js'
import { drawing } from '../../support/run/random.js'
import { anyLife, Life, lifetime } from './life.js'

useDatabase()

describe('a clock that jumps', () => {
  it('loses no change, and every impact ends after it began', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyLife, fc.array(fc.integer({ min: 0, max: lifetime - 1 })), async (acts, clock) => {
        const life = await Life.begin({ trusting: true })
        let second = 0
        for (const [i, [gap, act]] of acts.entries()) {
          second = clock[i] ?? Math.min(second + gap, lifetime - 1)
          await life.act(act, second)
        }
        const reports = acts.filter(([, { kind }]) => kind === 'report' || kind === 'mail')
        expect(life.ids).toHaveLength(reports.length)
      }),
      { seed: drawing().seed, numRuns: perRun({ quick: 15, whole: 60 }) },
    )
    expect(await impactFaults()).toEqual([])
    expect(await query('select from asset_impacts where ended_at <= started_at')).toEqual([])
  })

  const day = 86_400
  const said = (severity: 'low' | 'high') =>
    ({ kind: 'severity', which: 0, severity, retroactive: false }) as const
  const place = (where: 1 | 2) => ({ kind: 'place', which: 0, place: where }) as const
  it.each([
    ['the sweep', { kind: 'sweep' }],
    ['a graver severity', said('high')],
    ['another place', place(2)],
    ['downtime', { kind: 'downtime', which: 0, isDowntime: true, since: null, until: null }],
  ] as const)('begins an impact where the one before ended, by %s', async (_what, act) => {
    const life = await Life.begin({ trusting: true })
    await life.act({ kind: 'report', asset: 1, severity: 'low' }, 0)
    await life.act(said('high'), 8 * day)
    await life.act(said('low'), 8.5 * day)
    await life.act(act, 7.5 * day)
    await life.act(said('high'), 7.5 * day)
    expect(await impactFaults()).toEqual([])
  })
})
