import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { retryWhileStoreIsAway } from '../../../src/operations/backup/photoStoreRetry.js'
import { restoreBackup } from '../../../src/operations/backup/restoreBackup.js'
import { takeBackup } from '../../../src/operations/backup/takeBackup.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { type PhotoStore, StoreUnavailable } from '../../../src/platform/photos/store.js'
import { config } from '../../../src/platform/process/config.js'
import { photosIn, restoreTargets } from '../../support/backup/targets.js'
import { useDatabase } from '../../support/database.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
const target = restoreTargets(folder)

describe('a photo store that is away', () => {
  it('is asked three times more', async () => {
    expect(await tries(0)).toEqual([1, 'done'])
    expect(await tries(3)).toEqual([4, 'done'])
    expect(await tries(4)).toEqual([4, 'The photo store is not available'])
  })

  it('is asked once when it refuses for good, or when something else is wrong', async () => {
    const refused = new StoreUnavailable({ refusal: 'S3_BUCKET: no such bucket' })
    expect(await tries(1, refused)).toEqual([1, 'The photo store is not available'])
    expect(await tries(1, new Error('a fault of ours'))).toEqual([1, 'a fault of ours'])
  })

  itInWholeRun('for a moment ends neither a backup nor a restore', async () => {
    const once = new Set<string>()
    const first = (what: string) => !once.has(what) && once.add(what)
    const unsteady = (photos: PhotoStore): PhotoStore => ({
      ...photos,
      open: async (path) => {
        if (first('open')) throw away()
        const file = await photos.open(path)
        if (file && first('read')) {
          file.stream.destroy()
          return { ...file, stream: new Readable().destroy(away()) }
        }
        return file
      },
      put: async (path, bytes) => {
        if (first('put')) throw away()
        await photos.put(path, bytes)
      },
      owner: async () => {
        if (first('owner')) throw away()
        return photos.owner()
      },
    })
    const file = `${folder}/unsteady.tar.gz`
    const photos = unsteady(photosIn(config.photoDir))
    const { ending } = await takeBackup({ url: database(), photos }, file)
    expect(ending.photos).toMatchObject({ missing: 0, deleted: 0 })
    const into = await target()
    await closeDatabase()
    await restoreBackup({ ...into, photos: unsteady(into.photos) }, file).finally(() =>
      openDatabase(database()),
    )
    expect([...once].sort()).toEqual(['open', 'owner', 'put', 'read'])
  })
})

function away() {
  return new StoreUnavailable({ cause: new Error('reset') })
}

/**
 * Does it with a store that fails the given number of times. Resolves to the number of
 * tries and what it came to.
 */
async function tries(failures: number, failure: Error = away()): Promise<[number, string]> {
  let done = 0
  const act = async () => {
    done += 1
    if (done <= failures) throw failure
    return 'done'
  }
  const outcome = await retryWhileStoreIsAway(act, [0, 0, 0]).catch((error: Error) => error.message)
  return [done, outcome]
}
