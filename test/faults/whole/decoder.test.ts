import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { photosAtOnce } from '../../../src/platform/photos/photoProcessor.js'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { decodersOf } from '../../support/photos/decoders.js'
import { multipart, picture } from '../../support/pictures.js'
import { type Caretaker, startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { gone, withoutProcesses } from '../../support/run/processes.js'

const database = useDatabase()
const dataDir = newFolder()
let web: Caretaker
let photo: Buffer

beforeAll(async () => {
  photo = await picture()
  web = await startCaretaker({ DATABASE_URL: database(), DATA_DIR: dataDir, ...keys })
})
afterAll(() => web.end('SIGKILL'))

describe.skipIf(withoutProcesses)('the decoder of a running web', () => {
  it('starts with its first photo', () => {
    expect(decodersOf(web.child.pid)).toEqual([])
  })

  it.each(perRun({ quick: ['SIGSEGV'], whole: ['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const }))(
    'that is ended by %s in the middle of a photo costs nobody anything, and meanwhile all else is answered',
    async (signal) => {
      const pid = await theDecoder()
      const before = await figure(crashed)
      // Stopped, it cannot have answered yet.
      process.kill(pid, 'SIGSTOP')
      const reports = Array.from({ length: 2 + photosAtOnce }, reportWithPhoto)
      for (const address of ['/api/status', '/healthz', '/api/incidents'])
        expect((await fetch(web.origin + address)).status).toBe(200)
      await eventually(async () => expect(await figure('caretaker_photos_waiting')).toBe(2))
      process.kill(pid, signal)
      process.kill(pid, 'SIGCONT')
      await gone(pid)
      expect((await Promise.all(reports)).map(({ status }) => status)).toEqual(reports.map(() => 201))
      // None where the first of the three had not reached it yet.
      expect([before, before + 1]).toContain(await figure(crashed))
      await eventually(() => expect(readdirSync(path.join(dataDir, 'uploads'))).toEqual([]))
    },
  )

  it('ends with the web, which first answers the photos it has taken', async () => {
    const pid = await theDecoder()
    process.kill(pid, 'SIGSTOP')
    const last = reportWithPhoto()
    await eventually(async () => expect(await figure('caretaker_photos_running')).toBe(1))
    const ended = web.end('SIGTERM')
    await eventually(() => expect(web.output()).toContain('"msg":"stopping"'))
    // As a service manager does, which tells every process of the service.
    process.kill(pid, 'SIGTERM')
    process.kill(pid, 'SIGCONT')
    expect((await last).status).toBe(201)
    expect(await ended).toBe(0)
    await gone(pid)
    expect(web.output()).not.toMatch(/unhandled rejection|"level":"fatal"/)
  })
})

const mobile = { authorization: `Bearer ${keys.MOBILE_API_KEY}` }

const reportWithPhoto = () =>
  fetch(`${web.origin}/api/incidents`, {
    method: 'POST',
    headers: mobile,
    body: multipart({ assetId: '2', title: 'Dark', severity: 'low' }, [{ bytes: photo }]),
  })

/** The figure of this name, with its labels, at /metrics. */
const figure = async (name: string): Promise<number> => {
  const headers = { authorization: `Bearer ${keys.METRICS_TOKEN}` }
  const lines = (await (await fetch(`${web.origin}/metrics`, { headers })).text()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${name} `))!.split(' ')[1])
}

const crashed = 'caretaker_photo_decoders_lost_total{why="crashed"}'

/** The decoder of the web, which has just processed a photo. */
const theDecoder = async (): Promise<number> => {
  expect((await reportWithPhoto()).status).toBe(201)
  const [pid] = decodersOf(web.child.pid)
  return pid!
}
