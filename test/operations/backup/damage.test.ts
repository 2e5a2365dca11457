import { createHash, randomBytes } from 'node:crypto'
import fs, { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { migrations } from '../../../migrations/index.js'
import {
  ArchiveDamaged,
  type ArchiveEntry,
  readArchive,
  writeArchive,
} from '../../../src/operations/backup/archive.js'
import { writeContents } from '../../../src/operations/backup/contents.js'
import { photoEntry, tableEntry } from '../../../src/operations/backup/entries.js'
import { checkBackup, restoreBackup } from '../../../src/operations/backup/restoreBackup.js'
import { newPhotoPath, thumbnailOf } from '../../../src/platform/photos/photoPath.js'
import { contentsOf, restoreTargets } from '../../support/backup/targets.js'
import { newFolder } from '../../support/run/folders.js'

const folder = newFolder()
const target = restoreTargets(folder)
const whole = path.join(folder, 'whole.tar.gz')
const spoilt = path.join(folder, 'spoilt.tar.gz')

const photo = newPhotoPath()

beforeAll(() => write(whole))

describe('a damaged archive', () => {
  it('is read where it is whole', async () => {
    const { ending } = await checkBackup(whole)
    expect(ending.rows).toEqual({ towers: 5 })
  })

  it('is refused wherever it is cut', async () => {
    const bytes = readFileSync(whole)
    for (let i = 0; i < 60; i++) {
      writeFileSync(spoilt, bytes.subarray(0, Math.floor((bytes.length * i) / 60)))
      await expect(checkBackup(spoilt), `cut at ${i}/60`).rejects.toThrow(ArchiveDamaged)
    }
    writeFileSync(spoilt, bytes.subarray(0, -1))
    await expect(checkBackup(spoilt)).rejects.toThrow(ArchiveDamaged)
  })

  it('is refused wherever a byte of it is another', async () => {
    const bytes = readFileSync(whole)
    const [right, harmless] = [await checkBackup(whole), [] as number[]]
    // The first ten are gzip's header, of which some say nothing of the content.
    for (let i = 0; i < 200; i++) {
      const at = 10 + Math.floor(((bytes.length - 10) * i) / 200)
      const flipped = Buffer.from(bytes)
      flipped[at]! ^= 1 << (i % 8)
      writeFileSync(spoilt, flipped)
      const outcome = await checkBackup(spoilt).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome, `byte ${at}`).toBeInstanceOf(ArchiveDamaged)
      else expect(outcome, `byte ${at}`).toEqual(right)
      if (!(outcome instanceof Error)) harmless.push(at)
    }
    // A few bits between the compressed blocks mean nothing.
    expect(harmless.length).toBeLessThan(4)
  })

  it('is refused wherever a byte of what it holds is another, packed anew', async () => {
    const bytes = gunzipSync(readFileSync(whole))
    const differs = async (file: string) => {
      const names: string[] = []
      for await (const entry of readArchive(file)) names.push(entry.name)
      return names
    }
    const names = await differs(whole)
    for (let at = 0; at < bytes.length; at += 97) {
      const flipped = Buffer.from(bytes)
      flipped[at]! ^= 1
      writeFileSync(spoilt, gzipSync(flipped, { level: 1 }))
      // What pads a tar file to its blocks is no one's content; the checksum of its
      // headers covers the rest.
      const outcome = await checkBackup(spoilt).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome, `byte ${at}`).toBeInstanceOf(ArchiveDamaged)
      else expect([await differs(spoilt), padding(bytes, at)], `byte ${at}`).toEqual([names, true])
    }
  })

  it.each(tamperings())('is refused when %s', async (_what, change) => {
    await expect(checkBackup(await repacked(change))).rejects.toThrow(ArchiveDamaged)
  })

  it.each([
    ['is no archive', Buffer.from('hello')],
    ['is empty', Buffer.alloc(0)],
    ['is another archive', gzipSync(Buffer.alloc(10_240))],
  ])('is refused when it %s', async (_what, bytes) => {
    writeFileSync(spoilt, bytes)
    await expect(checkBackup(spoilt)).rejects.toThrow(ArchiveDamaged)
  })

  it('of a newer version is refused in a sentence that says so', async () => {
    await write(spoilt, { migrations: [...manifest.migrations, '29990101000000_later'] })
    await expect(checkBackup(spoilt)).rejects.toThrow(
      'newer version of Caretaker (0.0.0). Install that version first',
    )
    const newer = withBytes(/^manifest/, (was) => was.replace('"format": 2', '"format": 3'))
    await expect(checkBackup(await repacked(newer))).rejects.toThrow('newer version of Caretaker. Install')
  })

  it('changes nothing in the database and the store it was to be restored into', async () => {
    const into = await target({ empty: true })
    for (const [, change] of [tamperings()[0]!, tamperings().at(-3)!]) {
      await expect(restoreBackup(into, await repacked(change))).rejects.toThrow(ArchiveDamaged)
      expect(await contentsOf(into.url)).toEqual({ tables: 0, building: false })
      expect(existsSync(into.photoDir)).toBe(false)
    }
  })
})

describe('an archive of version 1.0.0', () => {
  it('is read where it is whole', async () => {
    const { manifest, ending } = await checkBackup(await repacked(inFirstFormat))
    expect([manifest.format, ending.rows]).toEqual([1, { towers: 5 }])
  })

  const older: Tampering[] = [
    ...tamperings().filter(([what]) => !/checksum|rows$/.test(what)),
    ['a list is another', withBytes(/^sums/, (was) => was.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')))],
    ['a list is missing', (entries) => entries.filter(({ name }) => !/^sums.*2/.test(name))],
    ['the end says other rows', withBytes(/^end/, (was) => was.replace('"towers": 5', '"towers": 6'))],
    ['the end says another sum', withBytes(/^end/, (was) => was.replace(/"sums": "./, '"sums": "x'))],
  ]
  it.each(older)('is refused when %s', async (_what, change) => {
    const damaged = await repacked((entries) => change(inFirstFormat(entries)))
    await expect(checkBackup(damaged)).rejects.toThrow(ArchiveDamaged)
  })
})

describe('a folder that takes no archive', () => {
  const refused: [string, (path: string) => Promise<unknown>, string][] = [
    ['is not there', (path) => writeArchive(path, async () => {}), 'is not there (ENOENT)'],
    [
      'is on a full disk',
      (path) =>
        writeArchive(path, async () => {
          throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
        }),
      'is on a full disk (ENOSPC)',
    ],
  ]
  it.each(refused)('because it %s is named, and no half file stays', async (_why, write, words) => {
    const into = words.includes('ENOENT') ? path.join(folder, 'nowhere') : folder
    const before = readdirSync(folder)
    await expect(write(path.join(into, 'x.tar.gz'))).rejects.toThrow(
      `No backup was made: the folder ${into} ${words}.`,
    )
    expect(readdirSync(folder)).toEqual(before)
  })

  it('because its disk fills while a file is added is named, and ends nothing else', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
    const disk = new Writable({ write: (_bytes, _encoding, done) => done(full) })
    vi.spyOn(fs, 'createWriteStream').mockReturnValue(disk as fs.WriteStream)
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    const written = writeArchive(path.join(folder, 'x.tar.gz'), async (add) => {
      for (const name of ['first', 'second']) await add(name, randomBytes(1_000_000))
    })
    await expect(written).rejects.toThrow('is on a full disk (ENOSPC)')
  })
})

describe('half an archive that a killed process left', () => {
  it('goes with the next backup in its folder, a day later; nothing else does', async () => {
    const day = 24 * 3_600
    const left = (name: string, seconds: number) => {
      const file = path.join(folder, name)
      writeFileSync(file, 'half')
      const then = Date.now() / 1_000 - seconds
      utimesSync(file, then, then)
      return name
    }
    const old = [left('a.tar.gz.0a1b2c3d.partial', day + 60), left('b.ffffffff.partial', 9 * day)]
    const kept = [
      left('c.tar.gz.0a1b2c3d.partial', day - 600),
      left('notes.partial', 9 * day),
      left('old.tar.gz', 9 * day),
      left('.0a1b2c3d.partial', 9 * day),
    ]
    await write(path.join(folder, 'next.tar.gz'))
    const there = readdirSync(folder)
    expect(old.filter((name) => there.includes(name))).toEqual([])
    expect(kept.filter((name) => !there.includes(name))).toEqual([])
  })
})

const manifest = {
  caretaker: '0.0.0',
  takenAt: new Date().toISOString(),
  building: '3f0e1a52-6f0b-4f5b-9a53-0d9c1c1e8f11',
  migrations: migrations.map(({ name }) => name),
  tables: [{ name: 'towers', columns: ['id', 'name'] }],
}

function write(file: string, changed: Partial<typeof manifest> = {}) {
  return writeArchive(file, async (add) => {
    await writeContents(add, { ...manifest, ...changed }, async (addEntry) => {
      for (let n = 1; n <= 5; n++)
        await addEntry(tableEntry('towers', n), Buffer.from(`${n}\tTower ${'abcdefghij'.repeat(n * 40)}\n`))
      for (const name of [photo, thumbnailOf(photo)])
        await addEntry(photoEntry(name), Buffer.from(Array.from({ length: 500 }, (_, i) => (i * i) % 251)))
      return { rows: { towers: 5 }, sequences: {}, photos: { kept: 1, missing: 0, deleted: 0 } }
    })
  })
}

/** The last byte of the checksum in a tar header, which is a space by custom. */
const endOfChecksum = 155

/**
 * Whether the byte pads a tar file: after the content of an entry, up to a whole
 * block, or after them all.
 */
function padding(tarball: Buffer, at: number): boolean {
  for (let start = 0; start < tarball.length; ) {
    if (tarball[start] === 0) return at >= start
    const size = Number.parseInt(tarball.toString('latin1', start + 124, start + 135), 8)
    const next = start + 512 * (1 + Math.ceil(size / 512))
    if (at < next) return at >= start + 512 + size || at === start + endOfChecksum
    start = next
  }
  return false
}

/** A whole archive, properly packed, whose entries are not those that were written. */
async function repacked(change: (entries: ArchiveEntry[]) => ArchiveEntry[]): Promise<string> {
  const entries: ArchiveEntry[] = []
  for await (const entry of readArchive(whole)) entries.push(entry)
  await writeArchive(spoilt, async (add) => {
    for (const { name, bytes } of change(entries)) await add(name, bytes)
  })
  return spoilt
}

/** A change of the content of the entries with such a name. */
function withBytes(name: RegExp, text: (was: string) => string) {
  return (entries: ArchiveEntry[]) =>
    entries.map((entry) =>
      name.test(entry.name)
        ? { ...entry, bytes: Buffer.from(text(entry.bytes.toString('latin1')), 'latin1') }
        : entry,
    )
}

/** The archive as version 1.0.0 wrote it: lists of checksums among the entries, and their sum. */
function inFirstFormat(entries: ArchiveEntry[]): ArchiveEntry[] {
  const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
  const older = withBytes(/^manifest/, (was) => was.replace('"format": 2', '"format": 1'))(entries)
  const ending = JSON.parse(older.at(-2)!.bytes.toString())
  const written: ArchiveEntry[] = []
  let [all, list] = ['', '']
  const summed = older.slice(0, -2)
  for (const [i, entry] of summed.entries()) {
    written.push(entry)
    list += `${sha256(entry.bytes)}  ${entry.name}\n`
    if (i % 3 < 2 && i < summed.length - 1) continue
    written.push({ name: `sums/${String(i).padStart(6, '0')}.sha256`, bytes: Buffer.from(list) })
    all += list
    list = ''
  }
  const { rows, sequences, photos } = ending
  const sums = sha256(all + JSON.stringify([rows, sequences, photos]))
  const bytes = Buffer.from(JSON.stringify({ ...ending, entries: summed.length, sums }, null, 1))
  return [...written, { name: 'end.json', bytes }]
}

/** What was done to an archive, and what that makes of its entries. */
type Tampering = [what: string, change: (entries: ArchiveEntry[]) => ArchiveEntry[]]

function tamperings(): Tampering[] {
  return [
    ['a row is another', withBytes(/towers\/000003/, (was) => was.replace('Tower', 'Tawer'))],
    ['a photo is another', withBytes(/\.thumb/, (was) => `${was}x`)],
    ['a checksum is another', withBytes(/^SHA/, (was) => was.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')))],
    ['a checksum is missing', withBytes(/^SHA/, (was) => was.replace(/.*000003.*\n/, ''))],
    ['a checksum is too many', withBytes(/^SHA/, (was) => was.replace(/(.*000003.*\n)/, '$1$1'))],
    ['checksums follow the last', withBytes(/^SHA/, (was) => `${was}${was.split('\n')[0]}\n`)],
    ['the manifest is another', withBytes(/^manifest/, (was) => was.replace('0.0.0', '0.0.1'))],
    ['the end says other rows', withBytes(/^end/, (was) => was.replace('"towers": 5', '"towers": 6'))],
    ['the end is no JSON', withBytes(/^end/, (was) => was.slice(5))],
    ['the manifest is no JSON', withBytes(/^manifest/, () => '{')],
    [
      'the manifest names a table as no table is named',
      withBytes(/^manifest/, (was) => was.replace('towers', 'to"rs')),
    ],
    ['rows are missing', (entries) => entries.filter(({ name }) => !name.includes('000002'))],
    ['a photo is missing', (entries) => entries.filter(({ name }) => !name.endsWith('.jpg'))],
    [
      'rows are in another order',
      (entries) => entries.toSorted((a, b) => Number(/000002/.test(b.name)) - Number(/000002/.test(a.name))),
    ],
    [
      'rows come twice',
      (entries) => entries.flatMap((entry) => (entry.name.includes('000004') ? [entry, entry] : [entry])),
    ],
    [
      'a file leads elsewhere',
      (entries) => [
        ...entries.slice(0, 1),
        { name: 'photos/../../x', bytes: Buffer.from('x') },
        ...entries.slice(1),
      ],
    ],
    [
      'a table is not in the manifest',
      (entries) => [
        ...entries.slice(0, 1),
        { name: 'tables/users/000001.copy', bytes: Buffer.from('x') },
        ...entries.slice(1),
      ],
    ],
    [
      'something follows the end',
      (entries) => [...entries, { name: 'tables/towers/000006.copy', bytes: Buffer.from('x') }],
    ],
    ['the end is missing', (entries) => entries.filter(({ name }) => !name.startsWith('end'))],
    ['there are no checksums', (entries) => entries.slice(0, -1)],
    ['there is nothing', () => []],
  ]
}
