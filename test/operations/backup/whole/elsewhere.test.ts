import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Store } from '../../../../src/platform/photos/s3Store.js'
import { sha256 } from '../../../../src/platform/photos/store.js'
import { config } from '../../../../src/platform/process/config.js'
import { checksums, restoreTargets } from '../../../support/backup/targets.js'
import { makePrivateBuilding, useDatabase } from '../../../support/database.js'
import { keys } from '../../../support/keys.js'
import { type S3Server, startS3 } from '../../../support/photos/s3Server.js'
import { ask } from '../../../support/postgres/embeddedUse.js'
import { runJobProcess } from '../../../support/process.js'
import { newFolder } from '../../../support/run/folders.js'
import { startPostgres15, withoutPostgres15 } from '../../../support/services/debianPostgres.js'

const database = useDatabase()
const folder = newFolder()
const target = restoreTargets(folder)
const file = path.join(folder, 'building.tar.gz')

beforeAll(async () => {
  const own = { ...keys, DATABASE_URL: database(), DATA_DIR: config.dataDir }
  expect(await runJobProcess('backup', own, file)).toMatchObject({ photos: { missing: 0 } })
})

describe('a building goes on with its photos in an S3 store', () => {
  let s3: S3Server
  const env = (into: { url: string; ownerUrl: string }, dataDir: string) => ({
    ...keys,
    ...s3.env,
    DATA_DIR: dataDir,
    DATABASE_URL: into.url,
    MIGRATION_DATABASE_URL: into.ownerUrl,
  })
  const claimed = async (url: string) => {
    const [row] = await ask<{ id: string }>(url, 'select building_id as id from building_identity')
    expect(await s3Store(s3.settings).owner()).toBe(row!.id)
  }
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.stop())

  it('when it is restored there, and when it moves there: every byte', async () => {
    const into = await target({ empty: true })
    await runJobProcess('restore', env(into, path.join(folder, 'restored')), file)
    expect(await photosInStore(s3)).toEqual(await photosUnder(config.photoDir))
    expect(await checksums(into.url)).toEqual(await checksums(database()))
    await claimed(into.url)
    await s3.stop()

    s3 = await startS3()
    const data = path.join(folder, 'private')
    makePrivateBuilding(data)
    const other = await target({ empty: true })
    expect(await runJobProcess('move', env(other, data))).toMatchObject({ photos: { missing: 0 } })
    expect(await photosInStore(s3)).toEqual(await photosUnder(path.join(data, 'photos')))
    await claimed(other.url)
  })
})

describe.skipIf(withoutPostgres15)('PostgreSQL 15', () => {
  it('takes what was backed up from a newer one: every row, every photo, and the service on top', async () => {
    const older = await startPostgres15()
    try {
      const data = path.join(folder, 'older')
      const env = { DATABASE_URL: older.url, MIGRATION_DATABASE_URL: older.ownerUrl, DATA_DIR: data }
      const restored = await runJobProcess('restore', { ...keys, ...env }, file)
      expect(restored).toMatchObject({ sending: 'paused', photos: { missing: 0 } })
      expect(await ask(older.url, 'show server_version')).toEqual([
        { server_version: expect.stringMatching(/^15\./) },
      ])
      expect(await checksums(older.url)).toEqual(await checksums(database()))
      expect(await photosUnder(path.join(data, 'photos'))).toEqual(await photosUnder(config.photoDir))
      expect(await runJobProcess('sweep', { ...keys, ...env })).toMatchObject({
        checked: expect.any(Number),
      })
      const back = path.join(folder, 'back.tar.gz')
      await runJobProcess('backup', { ...keys, ...env }, back)
      expect(await runJobProcess('restore', { ...keys, ...env }, '--check', back)).toMatchObject({
        photos: { missing: 0 },
      })
    } finally {
      await older.end()
    }
  })
})

/** Every photo and thumbnail in a folder, by its path, as what its bytes come to. */
async function photosUnder(dir: string): Promise<Record<string, string>> {
  const names = (readdirSync(dir, { recursive: true }) as string[]).filter((name) => name.endsWith('.jpg'))
  const sums = await Promise.all(names.map((name) => sha256([readFileSync(path.join(dir, name))])))
  expect(names.length).toBeGreaterThan(10)
  return Object.fromEntries(names.map((name, i) => [name, sums[i]!]))
}

/** The same of a store of objects, read to the last byte. */
async function photosInStore({ settings }: S3Server): Promise<Record<string, string>> {
  const store = s3Store(settings)
  const sums: Record<string, string> = {}
  for await (const { path: name } of store.list('photos'))
    sums[name] = await sha256((await store.open(name))!.stream)
  return sums
}
