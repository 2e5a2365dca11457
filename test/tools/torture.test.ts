import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { order, torture } from '../../tools/torture/campaign.js'
import { faults } from '../../tools/torture/faults.js'
import { type Site, startSite } from '../../tools/torture/site.js'
import { summary } from '../../tools/torture/summary.js'
import { makePrivateBuilding } from '../support/database.js'
import { picture } from '../support/pictures.js'
import { itInWholeRun } from '../support/run/extent.js'
import { drawing, drawsOf } from '../support/run/random.js'

/** `npm run torture` says how long and how often; the whole test run has a slice of it. */
const { TORTURE_MINUTES: minutes, TORTURE_KILLS: kills = '1' } = process.env
const extent = minutes
  ? { seconds: Number(minutes) * 60, kills: Number(kills), each: 5, clients: 6, rest: 60 }
  : { seconds: 60, kills: 1, each: 1, clients: 6, rest: 60 }

/** Processes are found and frozen by the lists that Linux keeps. */
const notOnLinux = process.platform !== 'linux'

function say(line: string): void {
  if (minutes) process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}

describe('a building in trouble', () => {
  it('is struck by the same faults in the same order again, by each before one comes again', () => {
    const first = (seed: number) => {
      const drawn = order(drawsOf(seed))
      return faults.map(() => drawn.next().value.name)
    }
    expect(first(5)).toEqual(first(5))
    expect(first(6)).not.toEqual(first(5))
    expect(new Set(first(5)).size).toBe(faults.length)
  })

  itInWholeRun.skipIf(notOnLinux)(
    'keeps what it acknowledged, does nothing twice or by half, and gets well by itself',
    async () => {
      const random = drawing()
      // Not where the run keeps its files: those go when it ends, and this is looked at
      // when something was found.
      const folder = mkdtempSync('/tmp/caretaker-torture-')
      chmodSync(folder, 0o755)
      const dataDir = path.join(folder, 'data')
      makePrivateBuilding(dataDir)
      let site: Site | undefined
      say(`seed ${random.seed}, in ${dataDir}`)
      let found: string[] = ['it did not come to its end']
      try {
        site = await startSite(dataDir)
        const pictures = [await picture(), await picture('png', '#c60')]
        const result = await torture({ site, random, pictures, say, ...extent })
        found = result.wrong
        say(`\n${summary(result)}`)
        expect(result.kills).toBeGreaterThan(0)
        expect(result.operations.length).toBeGreaterThan(50)
      } finally {
        await site?.end()
        if (found.length > 0 && site) keepOutputs(site, folder)
        else rmSync(folder, { recursive: true, force: true })
      }
      expect(found).toEqual([])
    },
    (extent.seconds + 600) * 1_000,
  )
})

/**
 * Of every process there was, in the order of their starts: what went wrong may have
 * been long before the end.
 */
function keepOutputs({ started }: Site, folder: string): void {
  for (const [i, { output }] of started.entries())
    writeFileSync(path.join(folder, `process ${i + 1}.log`), output())
  process.stderr.write(`What the run left lies in ${folder}: its history is data/history.jsonl\n`)
}
