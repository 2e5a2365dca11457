import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveStatus } from '../../../src/status/rules/derivedStatus.js'
import { assetStatuses, type Impact } from '../../../src/vocabulary/assetStatus.js'
import { lastDays } from '../../../src/vocabulary/time/calendar.js'
import { useDatabase } from '../../support/database.js'
import { impactFaults } from '../../support/impacts.js'
import { perRun } from '../../support/run/extent.js'
import { drawing } from '../../support/run/random.js'
import { anyLife, birth, Life, lifetime, painted, type Stored } from './life.js'
import { degraded, down, type Oracle, type Report } from './oracle.js'

useDatabase()

it('what incidents do to their assets is true in every second of any life, and nothing but a correction changes a past one', {
  timeout: 7_200_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, async (acts) => {
      const life = await Life.begin()
      let [second, stored] = [0, await life.stored()]
      for (const [gap, act] of acts) {
        if (second + gap >= lifetime) break
        second += gap
        life.oracle.until(second)
        const before = stored.map((spans) => painted(spans, second))
        const correcting = await life.act(act, second)
        stored = await life.stored()
        const after = stored.map((spans) => painted(spans, second))
        if (!correcting) expectSame(after.slice(0, before.length), before, 'changed the past')
        const expected = life.oracle.incidents.map(({ impact }) => impact.subarray(0, second))
        expectSame(after, expected, 'differs from what is true')
        const running = stored.map((spans) => spans.find(({ until }) => until === Infinity)?.byte ?? 0)
        expect(running).toEqual(life.oracle.incidents.map(({ present }) => present))
      }
      expectShown(stored, life.oracle, second)
    }),
    { seed: drawing().seed, numRuns: perRun({ quick: 30, whole: 200 }) },
  )
  expect(await impactFaults()).toEqual([])
})

/** By the first second that differs: printing a million bytes helps nobody. */
function expectSame(found: readonly Uint8Array[], wanted: readonly Uint8Array[], what: string): void {
  expect(found.length).toBe(wanted.length)
  found.forEach((bytes, i) => {
    if (Buffer.compare(bytes, wanted[i]!) === 0) return
    const second = bytes.findIndex((byte, at) => byte !== wanted[i]![at])
    throw new Error(
      `${what}: incident ${i} in second ${second} is ${bytes[second]}, not ${wanted[i]![second]}`,
    )
  })
}

/** The days and uptimes that people see of each asset, against a count of the oracle's seconds. */
function expectShown(stored: readonly Stored[][], { incidents }: Oracle, second: number): void {
  const now = birth + second * 1000
  const days = lastDays(zone, now, 90)
  for (const asset of [1, 2] as const) {
    const spans = stored.flat().filter(({ byte }) => byte === degraded(asset) || byte === down(asset))
    const given = spans.map(({ impact, since, until }) => ({
      impact: impact as Impact,
      start: birth + since * 1000,
      end: birth + until * 1000,
    }))
    const shown = deriveStatus(given, { maintenance: [], recordedSince: -Infinity }, days, now)
    const worst = worstOf(incidents, asset, second)
    const word = (byte: number) => (byte === 0 ? 'operational' : byte === down(asset) ? 'down' : 'degraded')
    expect(shown.status).toBe(word(worst[second]!))
    const byDay = Array.from({ length: 90 }, (_, i) => {
      const [from, to] = [days.bounds[i]!, days.bounds[i + 1]!].map((at) => Math.ceil((at - birth) / 1000))
      const day = worst.subarray(Math.max(0, from!), Math.max(0, to!))
      return word([down(asset), degraded(asset)].find((byte) => day.includes(byte)) ?? 0)
    })
    // Before the life began, a corrected downtime may have.
    const firstDay = days.bounds.findIndex((bound) => bound > birth) - 1
    expect([...shown.days].map((day) => assetStatuses[day]).slice(firstDay + 1)).toEqual(
      byDay.slice(firstDay + 1),
    )
    if (spans.some(({ since }) => since < 0)) continue
    const lost = howMany(worst.subarray(0, second), down(asset))
    for (const [length, uptime] of [
      [30, shown.uptime30],
      [90, shown.uptime90],
    ] as const) {
      const nearest = Math.round(10_000 * (1 - lost / (length * 86_400)))
      expect(uptime).toBe(lost === 0 ? 10_000 : Math.min(9_999, nearest))
    }
  }
}

const zone = 'Europe/London'

/** The worst that any incident did to the asset in each second, the present one included. */
function worstOf(incidents: readonly Report[], asset: 1 | 2, second: number): Uint8Array {
  const worst = new Uint8Array(second + 1)
  const [mild, bad] = [degraded(asset), down(asset)]
  for (const { impact, present } of incidents) {
    for (let at = 0; at < second; at++) {
      const byte = impact[at]!
      if (byte === bad || (byte === mild && worst[at] === 0)) worst[at] = byte
    }
    if (present === bad || (present === mild && worst[second] === 0)) worst[second] = present
  }
  return worst
}

function howMany(bytes: Uint8Array, wanted: number): number {
  let found = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === wanted) found++
  return found
}
