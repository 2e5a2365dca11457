import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener } from '../../../src/app/app.js'
import { query } from '../../../src/platform/db/database.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { nextWrite } from '../../../tools/torture/acts.js'
import { storedFaults } from '../../../tools/torture/checks/stored.js'
import { History, readHistory } from '../../../tools/torture/history.js'
import { committed } from '../../../tools/torture/postgres.js'
import { act } from '../../../tools/torture/workload.js'
import { useDatabase } from '../../support/database.js'
import { picture } from '../../support/pictures.js'
import { scalar } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { listenOnFreePort } from '../../support/run/ports.js'
import { drawing } from '../../support/run/random.js'
import { startProxy, type TcpProxy } from '../../support/services/proxy.js'
import { signedInAt } from '../../support/signedInAt.js'

const url = useDatabase()
let proxy: TcpProxy
let web: { origin: string; stop: () => Promise<void> }

beforeAll(async () => {
  proxy = await startProxy(url())
  await closeDatabase()
  openDatabase(proxy.address)
  web = await listenOnFreePort(createServer(createListener()))
})
afterAll(stopAll)

describe('a database that goes away when it has stored a write', () => {
  const dataDir = newFolder()

  it('makes nobody hear that nothing was stored, whatever kind of write it was', async () => {
    const random = drawing()
    const history = new History(path.join(dataDir, 'history.jsonl'))
    const [cookies, pictures] = [await signedInAt(web.origin), [await picture()]]
    const workload = { history, random, cookies, pictures, origins: [web.origin] }
    const incidents: number[] = []
    for (let n = 0; n < writes; n++) {
      const known = { random, incidents, pictures, marker: `Fault ${n}` }
      let isStored = false
      const isAfter = (answer: Buffer) => {
        const was = isStored
        isStored ||= answer.includes(committed)
        return was
      }
      // The first ones report what the others are about.
      proxy.cutAnswers(n < 3 ? null : isAfter)
      await act(
        { ...workload, rest: 0, isOver: () => false },
        { ...nextWrite(known), again: false },
        incidents,
      )
      proxy.cutAnswers(null)
    }
    const operations = readHistory(history.file)
    expect(await storedFaults(query, operations)).toEqual([])
    const unknown = operations.filter(({ attempts }) => attempts[0]!.code === 'outcome_unknown')
    expect(unknown.length).toBeGreaterThan(0)
  })

  it('does not say so on a page either, which it can no longer fill', async () => {
    const [cookie] = Object.values(await signedInAt(web.origin))
    const id = await scalar<number>(
      'select id from incidents where merged_into_id is null order by id desc limit 1',
    )
    let isStored = false
    proxy.cutAnswers((answer) => {
      const was = isStored
      isStored ||= answer.includes(committed)
      return was || isStored
    })
    const answer = await fetch(`${web.origin}/incidents/${id}/updates`, {
      method: 'POST',
      headers: { cookie: cookie!, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ body: 'It is dark.' }),
    })
    const page = await answer.text()
    proxy.cutAnswers(null)
    expect(isStored).toBe(true)
    expect(answer.status).toBe(503)
    expect(page).not.toContain('Nothing has been saved')
  })
})

async function stopAll(): Promise<void> {
  await web.stop()
  await closeDatabase()
  await proxy.end()
}

/** Writes of every kind, each by chance. */
const writes = perRun({ quick: 12, whole: 120 })
