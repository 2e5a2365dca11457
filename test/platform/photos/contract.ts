import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type NotOurStore, ownership } from '../../../src/platform/photos/ownership.js'
import { newPhotoPath, thumbnailOf } from '../../../src/platform/photos/photoPath.js'
import { type Area, type PhotoStore, sha256 } from '../../../src/platform/photos/store.js'
import { type SweepOptions, sweepOrphans } from '../../../src/platform/photos/sweep.js'

/** A place for photos, of one test file. */
export type Place = {
  /** Another process's view of it. */
  again: () => PhotoStore
  /** Makes a file as old as that. */
  age: (path: string, ms: number, area: Area) => Promise<void>
  stop: () => Promise<unknown>
}

const day = 24 * 3_600_000
const pictures = { photo: Buffer.from('the photo'), thumbnail: Buffer.from('the thumbnail') }
const [ours, theirs] = ['3f9a0123-0000-4000-8000-000000000000', '4f9a0123-0000-4000-8000-000000000000']

/**
 * What every store does, whatever it is made of. `more`: in which run what is our own code, the
 * same over every store, is looked at.
 */
export function storeContract(
  name: string,
  open: () => Promise<Place>,
  more: (define: () => void) => void = (define) => define(),
): void {
  let place: Place
  let store: PhotoStore
  beforeAll(async () => {
    place = await open()
    store = place.again()
  })
  afterAll(() => place.stop())
  beforeEach(async () => {
    for (const area of ['photos', 'trash'] as const)
      for (const path of await pathsIn(area)) await store.remove(path, area)
  })

  async function pathsIn(area: Area): Promise<string[]> {
    const paths: string[] = []
    for await (const { path } of store.list(area)) paths.push(path)
    return paths.sort()
  }
  const read = async (path: string) => {
    const file = await store.open(path)
    return file && (await buffer(file.stream)).toString()
  }
  const both = (path: string) => [path, thumbnailOf(path)]

  async function photosOfAge(count: number, ms: number, area: Area = 'photos'): Promise<string[]> {
    const paths = Array.from({ length: count }, newPhotoPath)
    // Of many, the photo alone: a store on a busy machine takes its time for each file.
    const files = count < 10 ? paths.flatMap(both) : paths
    await Promise.all(files.map((path) => store.put(path, pictures.photo)))
    if (area === 'trash') await Promise.all(files.map((path) => store.move(path, 'trash')))
    await Promise.all(files.map((path) => place.age(path, ms, area)))
    return paths
  }

  describe(`${name}, as a store`, () => {
    it('gives back what was put, to the next process too, with its size and digest', async () => {
      const path = newPhotoPath()
      await store.put(path, pictures.photo)
      for (const each of [store, place.again()]) {
        const { stream, size } = (await each.open(path))!
        expect([(await buffer(stream)).toString(), size]).toEqual(['the photo', 9])
        expect(await each.digest(path)).toBe(await sha256([pictures.photo]))
      }
      expect(await pathsIn('photos')).toEqual([path])
    })

    it('has nothing of what was not put', async () => {
      expect([await store.open(newPhotoPath()), await store.digest(newPhotoPath())]).toEqual([null, null])
    })

    it('gives back large files whole, to many at once', async () => {
      const [path, bytes] = [newPhotoPath(), Buffer.alloc(3_000_000, 'photo')]
      await store.put(path, bytes)
      const readers = Array.from({ length: 8 }, async () => buffer((await store.open(path))!.stream))
      for (const got of await Promise.all(readers)) expect(got.equals(bytes)).toBe(true)
    })

    it('lets go of a file whose reader goes away', async () => {
      const path = newPhotoPath()
      await store.put(path, Buffer.alloc(3_000_000))
      for (let round = 0; round < 5; round++) {
        const { stream } = (await store.open(path))!
        await new Promise((resolve) => stream.once('close', resolve).destroy())
        expect(stream.closed).toBe(true)
      }
      expect((await read(path))!.length).toBe(3_000_000)
    })

    it('takes no path but a photo’s', async () => {
      for (const path of [
        '',
        '..',
        '../x',
        '.building',
        'building',
        'trash/x',
        `/${newPhotoPath()}`,
        `${newPhotoPath()}/..`,
      ]) {
        await expect(store.put(path, pictures.photo)).rejects.toThrow(RangeError)
        expect([await store.open(path), await store.digest(path)]).toEqual([null, null])
        await store.move(path, 'trash')
        await store.remove(path)
      }
      expect(await pathsIn('photos')).toEqual([])
    })

    it('removes, and does not mind removing again', async () => {
      const path = newPhotoPath()
      await store.put(path, pictures.photo)
      await store.remove(path)
      await store.remove(path)
      expect(await read(path)).toBeNull()
    })

    it('moves a photo to the trash and back, dated now, and nothing that is not there', async () => {
      const path = newPhotoPath()
      const before = Date.now() - 2_000
      await store.put(path, pictures.photo)
      await place.age(path, 50 * day, 'photos')
      await store.move(path, 'trash')
      await store.move(path, 'trash')
      await store.move(newPhotoPath(), 'trash')
      expect([await read(path), await pathsIn('photos'), await pathsIn('trash')]).toEqual([null, [], [path]])
      for await (const { since } of store.list('trash')) expect(since).toBeGreaterThan(before)
      await store.move(path, 'photos')
      expect([await read(path), await pathsIn('trash')]).toEqual(['the photo', []])
    })

    it('is ready when it can write, and leaves no trace of the trial', async () => {
      await store.check()
      expect([await pathsIn('photos'), await pathsIn('trash')]).toEqual([[], []])
    })
  })

  const sweep = (known: string[], more: Partial<SweepOptions> = {}) =>
    sweepOrphans(store, { olderThanMs: day, findReferenced: async () => new Set(known), ...more })

  more(() => {
    describe(`the sweep of orphans in ${name}`, () => {
      it('moves old photos nobody knows to the trash with their thumbnails, and keeps known and young ones', async () => {
        const [known, orphan] = await photosOfAge(2, 2 * day)
        const [young] = await photosOfAge(1, 0)
        const asked: string[][] = []
        const options = {
          findReferenced: async (paths: string[]) => {
            asked.push(paths.toSorted())
            return new Set([known!])
          },
        }
        expect(await sweep([], options)).toEqual({ orphaned: 2, restored: 0, removed: 0, refused: 0 })
        expect(asked[0]).toEqual([known, orphan, young].sort())
        expect(await pathsIn('photos')).toEqual([known!, young!].flatMap(both).sort())
        expect(await pathsIn('trash')).toEqual(both(orphan!))
      })

      it('removes what has lain in the trash for 30 days, and brings back what is known after all', async () => {
        const [late, known] = await photosOfAge(2, 31 * day, 'trash')
        const [waiting] = await photosOfAge(1, 29 * day, 'trash')
        expect(await sweep([known!])).toEqual({ orphaned: 0, restored: 2, removed: 2, refused: 0 })
        expect([await read(late!), await read(known!)]).toEqual([null, 'the photo'])
        expect(await pathsIn('trash')).toEqual(both(waiting!))
      })

      it('refuses when most are unknown, unless it is told otherwise', async () => {
        const paths = await photosOfAge(26, 2 * day)
        expect(await sweep(paths.slice(0, 5))).toEqual({ orphaned: 0, restored: 0, removed: 0, refused: 21 })
        expect(await pathsIn('photos')).toHaveLength(26)
        expect(await sweep(paths.slice(0, 6))).toMatchObject({ orphaned: 20, refused: 0 })
        await photosOfAge(24, 2 * day)
        expect(await sweep(paths.slice(0, 6), { evenIfTooManyUnknown: true })).toMatchObject({
          orphaned: 24,
          refused: 0,
        })
      })

      it('stops, and moves nothing, when it cannot ask', async () => {
        await photosOfAge(1, 2 * day)
        const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
        await expect(sweep([], { findReferenced: () => Promise.reject(away) })).rejects.toMatchObject({
          message: 'connect',
        })
        expect(await pathsIn('photos')).toHaveLength(2)
      })
    })

    describe(`${name}, as somebody’s`, () => {
      const bond = (id: string, known: string[] = []) =>
        ownership(place.again(), { buildingId: async () => id, findReferenced: async () => new Set(known) })
      const why = async (asking: Promise<unknown>) =>
        (((await asking.catch((error) => error)) as Error | undefined)?.cause as NotOurStore | undefined)
          ?.code ?? 'ours'

      it('is nobody’s with photos most of which are unknown, else that of whoever comes first', async () => {
        const paths = await photosOfAge(25, 0)
        expect(await store.owner()).toBeNull()
        expect(await why(bond(theirs).checkOwnedNow())).toBe('unclaimed')
        expect(await store.owner()).toBeNull()
        await Promise.all([1, 2, 3].map(() => bond(ours, paths).checkOwnedNow()))
        expect(await store.owner()).toBe(ours)
        expect(await why(bond(theirs, paths).checkOwnedNow())).toBe('other_building')
        expect(await why(bond(ours).checkOwnedNow())).toBe('ours')
      })

      it('becomes another’s when an operator says so, and the former owner’s no more', async () => {
        const [path] = await photosOfAge(1, 0)
        expect(await bond(theirs, [path!]).adopt()).toEqual({ adopted: theirs, photos: 1, unknown: 0 })
        expect([await why(bond(ours).checkOwnedNow()), await why(bond(theirs).checkOwnedNow())]).toEqual([
          'other_building',
          'ours',
        ])
      })

      it('is asked once a minute, however many photos are stored', async () => {
        let asked = 0
        const counting = ownership(store, {
          buildingId: async () => {
            asked += 1
            return theirs
          },
          findReferenced: async () => new Set(),
        })
        for (let i = 0; i < 5; i++) await counting.requireOwned()
        expect(asked).toBe(1)
        await counting.checkOwnedNow()
        expect(asked).toBe(2)
      })
    })
  })
}
