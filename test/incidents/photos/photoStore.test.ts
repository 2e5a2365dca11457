import { rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { faultyStore } from '../../support/photos/faultyStore.js'
import { type S3Server, s3EnvironmentAt, startS3 } from '../../support/photos/s3Server.js'
import { endOfCaretaker, runJobProcess, startCaretaker } from '../../support/process.js'
import { column } from '../../support/rows.js'
import { eventually } from '../../support/run/eventually.js'
import { inWholeRun, itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

/** Each process loads the whole service first, and some tests start three. */
vi.setConfig({ testTimeout: 240_000 })

const database = useDatabase()
const folder = newFolder()
let s3: S3Server
let proxy: Awaited<ReturnType<typeof faultyStore>>
beforeAll(startStores)
afterAll(stopStores)

describe('npm run photos', () => {
  it('copies the photos to the bucket, goes on where it was stopped, and changes nothing when run again', async () => {
    const paths = await photos()
    const all = 2 * paths.length
    expect(paths.length).toBeGreaterThan(5)
    const local = { ...env(), ...s3EnvironmentAt(proxy.endpoint), PHOTO_STORE: 'local' }
    proxy.fail({ status: 403, code: 'AccessDenied' }, { only: new RegExp(`PUT .*${paths[4]}`) })
    await expect(runJobProcess('photos', local, '--to', 's3')).rejects.toMatchObject({ code: 1 })
    proxy.fail('none')
    const rest = await runJobProcess('photos', local, '--to', 's3')
    expect(rest).toMatchObject({ to: 's3', missing: 0 })
    expect(Number(rest.there)).toBeGreaterThan(0)
    expect(Number(rest.copied) + Number(rest.there)).toBe(all)
    const again = await runJobProcess('photos', local, '--to', 's3')
    expect(again).toEqual({ to: 's3', copied: 0, there: all, missing: 0, bytes: 0 })
  })

  itInWholeRun('brings them back', async () => {
    const elsewhere = { ...env(), ...s3.env, DATA_DIR: path.join(folder, 'elsewhere') }
    const back = await runJobProcess('photos', elsewhere, '--to', 'local')
    expect(back).toMatchObject({ to: 'local', copied: 2 * (await photos()).length, missing: 0 })
    expect(await runJobProcess('photos', elsewhere, '--to', 's3')).toMatchObject({ copied: 0, missing: 0 })
  })

  itInWholeRun('says what can be asked of it, and of which settings it knows nothing', async () => {
    await Promise.all(
      [[], ['--to', 'moon'], ['--adopt', '--sweep'], ['--nothing']].map((args) =>
        expect(runJobProcess('photos', env(), ...args)).rejects.toMatchObject({
          code: 2,
          stderr: expect.stringContaining('--adopt'),
        }),
      ),
    )
    await expect(runJobProcess('photos', env(), '--to', 's3')).rejects.toMatchObject({
      stderr: expect.stringContaining('S3_BUCKET'),
    })
  })
})

inWholeRun(() => {
  describe('a service whose photos are in an object store', () => {
    it('serves them through itself, tells what is away from what is not there, and stays ready', async () => {
      const server = await startCaretaker({
        ...env(),
        ...s3EnvironmentAt(proxy.endpoint),
        DATA_DIR: path.join(folder, 'none'),
      })
      const [one, two] = (await photos()).map((each) => `${server.origin}/api/photos/${each}`)
      const answer = await fetch(one!)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect((await answer.arrayBuffer()).byteLength).toBe(Number(answer.headers.get('content-length')))
      proxy.fail('reset')
      expect((await fetch(two!)).status).toBe(503)
      proxy.fail('cut', { only: /GET/ })
      await expect.poll(() => fetch(two!).then(({ status }) => status)).toBe(200)
      await expect(fetch(two!).then((cut) => cut.arrayBuffer())).rejects.toThrow()
      proxy.fail({ status: 404, code: 'NoSuchKey' })
      expect((await fetch(two!)).status).toBe(404)
      proxy.fail('none')
      expect((await fetch(two!)).status).toBe(200)
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
      expect(await server.end()).toBe(0)
    })

    it('does not start where the store refuses it, and names the setting', async () => {
      const wrong = { ...env(), ...s3.env, S3_ACCESS_KEY_ID: 'NOBODY', LOG_LEVEL: 'silent' }
      const { code, output } = await endOfCaretaker(wrong)
      expect([code, output]).toEqual([
        78,
        expect.stringContaining('S3_ACCESS_KEY_ID: the store does not know this key'),
      ])
      await expect(
        runJobProcess('worker', { ...wrong, ...s3.env, S3_BUCKET: 'no-such-bucket' }),
      ).rejects.toMatchObject({
        code: 78,
        stderr: expect.stringContaining('S3_BUCKET'),
      })
    })

    it('starts where the store cannot be reached, and says so', async () => {
      proxy.fail('reset')
      const server = await startCaretaker({ ...env(), ...s3EnvironmentAt(proxy.endpoint) })
      await eventually(() => expect(server.output()).toMatch(/no photo can be stored now: connection lost/))
      const ready = await fetch(`${server.origin}/readyz`)
      expect([ready.status, await ready.json()]).toEqual([
        200,
        expect.objectContaining({ checks: expect.objectContaining({ photos: 'failed' }) }),
      ])
      expect(await server.end()).toBe(0)
    })
  })
})

/** A bucket with a proxy before it that can fail, and the photos of the building in a folder. */
async function startStores(): Promise<void> {
  s3 = await startS3()
  proxy = await faultyStore(s3.endpoint)
  await cp(inject('photoDir'), path.join(folder, 'photos'), { recursive: true })
}

async function stopStores(): Promise<void> {
  await proxy.stop()
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
}

function env() {
  return { DATABASE_URL: database(), DATA_DIR: folder, ...keys }
}

/** The paths of all photos of the building. */
function photos(): Promise<string[]> {
  return column<string>('select path from photos order by path')
}
