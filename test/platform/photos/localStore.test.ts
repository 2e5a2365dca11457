import { execFileSync } from 'node:child_process'
import { rmdirSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localStore } from '../../../src/platform/photos/localStore.js'
import { putPhoto, removePhoto } from '../../../src/platform/photos/photoFiles.js'
import { isPhotoPath, newPhotoPath, thumbnailOf } from '../../../src/platform/photos/photoPath.js'
import { type PhotoStore, StoreUnavailable } from '../../../src/platform/photos/store.js'
import { sweepOrphans } from '../../../src/platform/photos/sweep.js'
import { perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { storeContract } from './contract.js'

let root: string
let store: PhotoStore

beforeEach(async () => {
  root = join(newFolder(), 'photos')
  store = localStore(root)
})
afterEach(() => rm(dirname(root), { recursive: true, force: true }))

describe('photo paths', () => {
  it('are random, fanned out, and recognised with their thumbnails', () => {
    const paths = Array.from({ length: 1000 }, newPhotoPath)
    expect(new Set(paths).size).toBe(1000)
    for (const path of paths) {
      expect(path).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}\.jpg$/)
      expect(path.replaceAll('/', '').slice(0, 4)).toBe(path.slice(6, 10))
      expect([isPhotoPath(path), isPhotoPath(thumbnailOf(path))]).toEqual([true, true])
    }
  })

  const path = '3f/9a/3f9a0123456789abcdef0123456789ab.jpg'
  it.each([
    '',
    '../../etc/passwd',
    `../${path}`,
    `${path}/..`,
    `${path}\n`,
    `${path}\0.thumb.jpg`,
    `${path}.thumb.jpg.thumb.jpg`,
    path.toUpperCase(),
    path.replaceAll('/', '\\'),
    path.replace('3f/', '%2e%2e/'),
    path.replace('3f/9a', '3f/9b'),
    path.replace('.jpg', '.png'),
    '.tmp/3f9a0123456789abcdef0123456789ab',
    'a'.repeat(5000),
  ])('are nothing like %j', async (wrong) => {
    expect(isPhotoPath(wrong)).toBe(false)
    expect(await store.open(wrong)).toBeNull()
    await expect(store.put(wrong, Buffer.from('x'))).rejects.toThrow(RangeError)
    await store.remove(wrong)
    expect(await filesIn(dirname(root))).toEqual([])
  })

  it('are never anything else, whatever is tried', () => {
    const piece = fc.constantFrom(
      '3f',
      '9a',
      '/',
      '\\',
      '..',
      '.',
      '.jpg',
      '.thumb.jpg',
      '%2e',
      '\0',
      '\n',
      'ab'.repeat(14),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const exact = /^[0-9a-f]{2}[/][0-9a-f]{2}[/][0-9a-f]{32}[.]jpg([.]thumb[.]jpg)?$/.test(text)
        expect(isPhotoPath(text)).toBe(exact && text.slice(0, 2) + text.slice(3, 5) === text.slice(6, 10))
      }),
      { numRuns: perRun({ quick: 400, whole: 2000 }) },
    )
  })
})

describe('a local store', () => {
  it('has nothing at first, not even a folder', async () => {
    expect(await store.open(newPhotoPath())).toBeNull()
    expect(await readdir(dirname(root))).toEqual([])
  })

  it('takes many photos at once and keeps no temporary file', async () => {
    const paths = Array.from({ length: 50 }, newPhotoPath)
    await Promise.all(paths.map((path) => store.put(path, Buffer.from(path))))
    for (const path of paths) expect(await storedText(path)).toBe(path)
    expect(await readdir(join(root, '.tmp'))).toEqual([])
  })

  it('lets nobody else on the machine read or write', async () => {
    const path = newPhotoPath()
    await store.put(path, pictures.photo)
    const modes = [join(root, path), dirname(join(root, path)), root].map(
      async (file) => (await lstat(file)).mode,
    )
    for (const mode of await Promise.all(modes)) expect(mode & 0o027).toBe(0)
  })

  it('follows no planted link and opens no planted folder', async () => {
    const [link, folder] = [newPhotoPath(), newPhotoPath()]
    const secret = join(dirname(root), 'secret')
    await writeFile(secret, 'secret')
    await mkdir(dirname(join(root, link)), { recursive: true })
    await symlink(secret, join(root, link))
    await mkdir(join(root, folder), { recursive: true })
    expect(await store.open(link)).toBeNull()
    expect(await store.open(folder)).toBeNull()
  })

  it('replaces a planted link instead of writing through it', async () => {
    const path = newPhotoPath()
    const secret = join(dirname(root), 'secret')
    await writeFile(secret, 'secret')
    await mkdir(dirname(join(root, path)), { recursive: true })
    await symlink(secret, join(root, path))
    await store.put(path, pictures.photo)
    expect([await storedText(path), await readFile(secret, 'utf8')]).toEqual(['the photo', 'secret'])
  })
})

describe('a photo and its thumbnail', () => {
  it('are stored and removed together', async () => {
    const path = newPhotoPath()
    await putPhoto(store, path, pictures)
    expect([await storedText(path), await storedText(thumbnailOf(path))]).toEqual([
      'the photo',
      'the thumbnail',
    ])
    await removePhoto(store, path)
    expect(await filesIn(root)).toEqual([])
  })

  it.each([1, 2])('leave nothing behind when file %i of the two cannot be stored', async (failing) => {
    const path = newPhotoPath()
    let count = 0
    const failed = new StoreUnavailable()
    const put: PhotoStore['put'] = async (...file) => {
      count += 1
      if (count === failing) throw failed
      await store.put(...file)
    }
    await expect(putPhoto({ ...store, put }, path, pictures)).rejects.toBe(failed)
    expect(await filesIn(root)).toEqual([])
  })
})

describe('a store that cannot write', () => {
  const path = newPhotoPath()

  /**
   * Root ignores permissions, so the folder is made impossible instead; small volumes
   * where the machine lets us.
   */
  const ways: Record<string, () => Promise<void>> = {
    'a file stands in place of the folder': () => writeFile(root, ''),
    'a file stands in place of the folder of temporary files': () => fileAt('.tmp'),
    'a file stands in place of the first folder': () => fileAt(path.slice(0, 2)),
    'a file stands in place of the second folder': () => fileAt(path.slice(0, 5)),
    'a folder stands in place of the photo': async () =>
      void (await mkdir(join(root, path), { recursive: true })),
  }

  async function fileAt(name: string) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), '')
  }

  it.each(Object.entries(ways))('because %s says so and keeps nothing', async (_, prepare) => {
    await prepare()
    const before = await filesIn(dirname(root))
    const failure = await store.put(path, pictures.photo).catch((error) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(failure.cause).toMatchObject({ syscall: expect.any(String) })
    expect(failure.message).not.toContain(root)
    expect(await filesIn(dirname(root))).toEqual(before)
  })

  it('is not ready', async () => {
    await writeFile(root, '')
    await expect(store.check()).rejects.toThrow(StoreUnavailable)
    await expect(store.open(path)).rejects.toThrow(StoreUnavailable)
    await expect(store.remove(path)).rejects.toThrow(StoreUnavailable)
    await expect(sweepOrphans(store, { olderThanMs: day, findReferenced: nobody })).rejects.toThrow(
      StoreUnavailable,
    )
  })
})

function mount(...options: string[]) {
  execFileSync('mount', options, { stdio: 'ignore' })
}

function canMount(): boolean {
  const folder = newFolder()
  try {
    mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

// A disk that is really full or read-only needs a volume of its own, which
// not every machine grants.
if (canMount()) {
  describe('a volume of 256 kB', () => {
    beforeEach(async () => {
      await mkdir(root)
      mount('-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root)
    })
    afterEach(() => execFileSync('umount', [root]))

    it('that is full refuses a photo, keeps none of it, and goes on when there is room', async () => {
      const [small, large] = [newPhotoPath(), newPhotoPath()]
      await store.put(small, pictures.photo)
      const tooMuch = { ...pictures, photo: Buffer.alloc(400_000) }
      await expect(putPhoto(store, large, tooMuch)).rejects.toMatchObject({ cause: { code: 'ENOSPC' } })
      expect(await filesIn(root)).toEqual([join(root, small)])
      await store.put(large, pictures.photo)
      expect(await storedText(large)).toBe('the photo')
    })

    it('that is full to the last byte is not ready', async () => {
      await store.check()
      await expect(writeFile(join(root, 'ballast'), Buffer.alloc(400_000))).rejects.toMatchObject({
        code: 'ENOSPC',
      })
      await expect(store.check()).rejects.toThrow(StoreUnavailable)
    })

    it('that is read-only refuses photos, is not ready, and still shows the old ones', async () => {
      const [old, late] = [newPhotoPath(), newPhotoPath()]
      await store.put(old, pictures.photo)
      mount('-o', 'remount,ro', root)
      for (const attempt of [() => store.put(late, pictures.photo), store.check, () => store.remove(old)]) {
        await expect(attempt()).rejects.toMatchObject({
          name: 'StoreUnavailable',
          cause: { code: 'EROFS' },
        })
      }
      expect([await storedText(old), await storedText(late)]).toEqual(['the photo', null])
    })
  })
}

storeContract('a local store', async () => {
  const folder = join(newFolder(), 'photos')
  return {
    again: () => localStore(folder),
    async age(path, ms, area) {
      const then = new Date(Date.now() - ms)
      await utimes(join(folder, area === 'trash' ? '.trash' : '', path), then, then)
    },
    stop: () => rm(dirname(folder), { recursive: true, force: true }),
  }
})

describe('a folder', () => {
  it('is claimed by one of two buildings that want it at once', async () => {
    for (let round = 0; round < 20; round++) {
      const ids = [`${round}`.padStart(8, '0'), `${round}`.padStart(8, 'f')].map(
        (start) => `${start}-0000-4000-8000-000000000000`,
      )
      await rm(root, { recursive: true, force: true })
      const owners = await Promise.all(ids.map((id) => localStore(root).claim(id)))
      expect(owners[0]).toBe(owners[1])
      expect(ids).toContain(owners[0])
    }
    expect(await readdir(join(root, '.tmp'))).toEqual([])
  })

  it('of which nobody can say whose it is, is somebody else’s', async () => {
    await mkdir(root)
    for (const text of ['', 'half-an-id', 'x'.repeat(5000)]) {
      await writeFile(join(root, '.building'), text)
      expect(await store.owner()).toMatch(/^unreadable: /)
      expect(await store.claim('3f9a0123-0000-4000-8000-000000000000')).toMatch(/^unreadable: /)
    }
  })

  it('keeps what is not ours, and what a link points to, out of every sweep', async () => {
    const elsewhere = join(dirname(root), 'elsewhere')
    const path = newPhotoPath()
    await localStore(elsewhere).put(path, pictures.photo)
    await mkdir(join(root, '3f'), { recursive: true })
    await writeFile(join(root, '3f', 'notes.txt'), 'mine')
    await writeFile(join(root, 'README'), 'mine')
    // In a folder of its own, so that no random name is that of the link.
    await mkdir(join(root, newPhotoPath().replace(/^../, '3f')), { recursive: true })
    await symlink(join(elsewhere, path.slice(0, 2)), join(root, 'ff'))
    for (const file of ['3f/notes.txt', 'README']) await age(file, 2 * day)
    expect(await sweepOrphans(store, { olderThanMs: -day, findReferenced: nobody })).toMatchObject({
      orphaned: 0,
    })
    expect(await filesIn(elsewhere)).toHaveLength(1)
  })

  it('loses what a killed process left half-written, but not a write that may still be going on', async () => {
    await store.check()
    await writeFile(join(root, '.tmp', 'a'.repeat(32)), 'half')
    await writeFile(join(root, '.tmp', 'b'.repeat(32)), 'half')
    await age(`.tmp/${'a'.repeat(32)}`, 2 * day)
    expect(await store.removeTemporary()).toBe(1)
    expect(await readdir(join(root, '.tmp'))).toEqual(['b'.repeat(32)])
  })
})

const day = 24 * 60 * 60 * 1000
const nobody = async () => new Set<string>()
const pictures = { photo: Buffer.from('the photo'), thumbnail: Buffer.from('the thumbnail') }

async function storedText(path: string): Promise<string | null> {
  const file = await store.open(path)
  return file && (await buffer(file.stream)).toString()
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
}

async function age(path: string, ms: number) {
  const then = new Date(Date.now() - ms)
  await utimes(join(root, path), then, then)
}
