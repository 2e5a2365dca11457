import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { User } from '../../../src/accounts/users/user.js'
import { tidy } from '../../../src/app/tidy.js'
import { sweepPhotos } from '../../../src/incidents/model/photos/buildingPhotoStore.js'
import { pauseSending, resumeSending } from '../../../src/notifications/pauseSending.js'
import { query } from '../../../src/platform/db/database.js'
import * as session from '../../../src/platform/http/session/sessionTable.js'
import { photoStore } from '../../../src/platform/photos/configuredStore.js'
import { localStore } from '../../../src/platform/photos/localStore.js'
import { newPhotoPath } from '../../../src/platform/photos/photoPath.js'
import { StoreUnavailable } from '../../../src/platform/photos/store.js'
import { noteStoreFault, noteStoreWell, photoStoreFault } from '../../../src/platform/photos/storeFault.js'
import { config } from '../../../src/platform/process/config.js'
import { log } from '../../../src/platform/process/log.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { perRun } from '../../support/run/extent.js'
import { eachWithEach } from '../../support/tables.js'

const house = useHouse()
const fields = { assetId: '2', title: 'Dark <again>', severity: 'low', description: 'Since & "Monday"' }
const browser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

let photo: Buffer
let incident: { id: number; photos: { path: string }[] }

beforeAll(async () => {
  photo = await picture()
  incident = await house.json('resident', '/api/incidents', { body: multipart(fields, [{ bytes: photo }]) })
})
afterEach(() => vi.restoreAllMocks())

describe('while the photo store is away', () => {
  const ways: [string, () => void][] = [
    ['takes no file', () => vi.spyOn(photoStore, 'put').mockImplementation(away)],
    [
      'takes the thumbnail alone',
      () =>
        vi
          .spyOn(photoStore, 'put')
          .mockImplementationOnce(localStore(config.photoDir).put)
          .mockImplementation(away),
    ],
    [
      'does nothing at all',
      () => {
        for (const name of ['put', 'open', 'remove', 'move', 'digest', 'check', 'owner', 'claim'] as const)
          vi.spyOn(photoStore, name).mockImplementation(away as never)
      },
    ],
  ]
  const tried = perRun({ quick: { everyValue: true }, whole: eachWithEach(ways, doors()) })
  it.each(tried.map(([[way, fail], [door, given]]) => ({ way, fail, door, given })))(
    'and $way, a photo for $door is 503, and nothing is stored by half',
    async ({ fail, door, given }) => {
      const before = await counts()
      fail()
      const warn = vi.spyOn(log, 'warn')
      const body = multipart(given, [{ bytes: photo }])
      const headers = { ...browser, accept: 'application/json' }
      const answer = await house.ask('resident', at(door), { headers, body })
      expect([answer.status, (await answer.json()).code]).toEqual([503, 'photo_store_away'])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(warn.mock.calls).toContainEqual([
        expect.objectContaining({ why: expect.stringContaining('ENOSPC') }),
        'request refused',
      ])
      vi.restoreAllMocks()
      expect(await counts()).toEqual(before)
    },
  )

  it.each(doors())(
    'the page of %s has what was typed, and without a photo it is taken',
    async (door, given) => {
      ways.at(-1)![1]()
      if (!door.startsWith('/api')) {
        const asked = { headers: browser, body: multipart(given, [{ bytes: photo }]) }
        const page = await house.page('resident', at(door), asked)
        expect(page('main h2').first().text()).toBe('We can’t save photos right now')
        expect([page('input[name=title]').val(), page('textarea[name=body]').val()]).toContain(textOf(given))
      }
      const body = multipart({ ...given, title: `${given.title} ${door}` })
      expect([201, 303]).toContain((await house.ask('resident', at(door), { headers: browser, body })).status)
    },
  )

  it('a photo is 503, one that is not there 404, and one the reader has needs no store', async () => {
    vi.spyOn(photoStore, 'open').mockImplementation(away)
    const [{ path }] = incident.photos as [{ path: string }]
    for (const each of [path, `${path}.thumb.jpg`]) {
      expect((await house.ask('guest', `/api/photos/${each}`)).status).toBe(503)
      expect((await house.ask('guest', `/api/photos/${each}`, { method: 'HEAD' })).status).toBe(503)
      const known = { headers: { 'if-none-match': `"${each}"` } }
      expect((await house.ask('guest', `/api/photos/${each}`, known)).status).toBe(304)
      const unknown = { headers: { 'if-none-match': `"${newPhotoPath()}"` } }
      expect((await house.ask('guest', `/api/photos/${each}`, unknown)).status).toBe(503)
    }
    expect((await house.ask('guest', `/api/photos/${newPhotoPath()}`)).status).toBe(404)
    vi.restoreAllMocks()
    vi.spyOn(photoStore, 'open').mockResolvedValue(null)
    expect((await house.ask('guest', `/api/photos/${path}`)).status).toBe(404)
  })

  it('an email is kept without its photos', async () => {
    vi.spyOn(photoStore, 'put').mockImplementation(away)
    const attachments = [{ filename: 'a.jpg', contentBase64: photo.toString('base64') }]
    const json = {
      from: 'Ada <ada@elsewhere.example>',
      subject: 'It drips',
      text: 'In the hall',
      attachments,
    }
    expect(await house.json('inbound', '/api/inbound-email', { json })).toMatchObject({ action: 'created' })
  })
})

describe('while the database is away', () => {
  it('nothing is said of the photo store', () => {
    noteStoreWell()
    const warn = vi.spyOn(log, 'warn')
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' })
    expect([noteStoreFault(refused), photoStoreFault(), warn.mock.calls]).toEqual([null, null, []])
  })

  it('the page of a report has what was typed, to send it again by one press', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    await house.ask('resident', '/account/none')
    vi.spyOn(session, 'liveSession').mockRejectedValue(refused)
    vi.spyOn(User, 'query').mockImplementation(() => {
      throw refused
    })
    for (const [door, given] of doors().filter(([each]) => !each.startsWith('/api'))) {
      const asked = {
        headers: browser,
        body: multipart({ ...given, formKey: 'kept-key', formToken: 'kept-token' }, [{ bytes: photo }]),
      }
      const answer = await house.ask('resident', at(door), asked)
      expect(answer.status).toBe(503)
      const html = await answer.text()
      expect(html).not.toContain(textOf(given))
      const page = (await import('cheerio')).load(html)
      const form = page(`main form[action="${at(door)}"]`)
      for (const [name, value] of Object.entries({ ...given, formKey: 'kept-key', formToken: 'kept-token' }))
        expect(form.find(`input[name="${name}"]`).val()).toBe(value)
      expect(page('main blockquote').first().text()).toBe(textOf(given))
    }
  })

  it('no secret is written into a page, nor anything that another site sent', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    await house.ask('resident', '/account/none')
    vi.spyOn(session, 'liveSession').mockRejectedValue(refused)
    const asked: [Record<string, string>, Record<string, string>][] = [
      [{ currentPassword: 'hush-hush', password: 'hush-hush-2' }, browser],
      [{ url: 'https://x.example', secret: 'hush-hush' }, browser],
      [{ title: 'hush-hush' }, { ...browser, 'sec-fetch-site': 'cross-site' }],
    ]
    for (const [form, headers] of asked) {
      const answer = await house.ask('resident', '/report', { form, headers })
      expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining('hush-hush')])
    }
  })
})

it('an email that our disk has no folder for is refused for now, not for good, and the reason logged', async () => {
  noteStoreWell()
  rmSync(config.uploadDir, { recursive: true, force: true })
  writeFileSync(config.uploadDir, '')
  const warn = vi.spyOn(log, 'warn')
  expect((await arrives(10)).status).toBe(503)
  expect(warn.mock.calls[0]).toEqual([expect.stringContaining('ENOTDIR')])
  rmSync(config.uploadDir)
  expect((await arrives(11)).status).toBe(200)
  noteStoreWell()
})

const count = async (table: string) => (await query(`select from ${table}`)).length

/** Posts an email with a text of so many bytes. */
function arrives(bytes: number) {
  const head = ['From: zoe@elsewhere.example', `Subject: The lift of ${bytes}`, '', ''].join('\r\n')
  return house.ask('inbound', '/api/inbound-email', {
    headers: { 'content-type': 'message/rfc822' },
    body: head + 'It stands still.\r\n'.repeat(Math.ceil(bytes / 18)),
  })
}

function canMount(): boolean {
  try {
    mkdirSync(config.uploadDir, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', config.uploadDir], { stdio: 'ignore' })
    execFileSync('umount', [config.uploadDir])
    return true
  } catch {
    return false
  }
}

// A disk that is really full or read-only needs a volume of its own, which
// not every machine grants.
if (canMount()) {
  describe.each(['size=64k', 'size=64k,ro'])('a disk of uploads with %s', (options) => {
    beforeEach(() => {
      noteStoreWell()
      mkdirSync(config.uploadDir, { recursive: true })
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', config.uploadDir])
    })
    afterEach(() => {
      execFileSync('umount', [config.uploadDir])
      rmSync(config.uploadDir, { recursive: true, force: true })
    })

    it('answers 503 and never that a photo is empty, brings back what was typed, and takes what has no photo', async () => {
      const before = await counts()
      const many = Array.from({ length: 5 }, () => ({ bytes: Buffer.concat([photo, Buffer.alloc(200_000)]) }))
      const warn = vi.spyOn(log, 'warn')
      for (let round = 0; round < 5; round++) {
        const answer = await house.ask('resident', '/api/incidents', { body: multipart(fields, many) })
        expect([answer.status, await answer.json()]).toEqual([
          503,
          expect.objectContaining({ code: 'photo_store_away' }),
        ])
      }
      const why = options.includes('ro')
        ? 'the file system is read-only (EROFS)'
        : 'the disk is full (ENOSPC)'
      const [first, ...refused] = warn.mock.calls
      expect(first).toEqual([`photo store: no photo can be stored now: ${why}`])
      expect(refused).toEqual(
        Array(5).fill([expect.objectContaining({ path: '/api/incidents', why }), 'request refused']),
      )
      expect(photoStoreFault()).toBe(why)
      const page = await house.page('resident', '/report', {
        headers: browser,
        body: multipart(fields, many),
      })
      expect(page('input[name=title]').val()).toBe(fields.title)
      expect(await counts()).toEqual(before)
      const another = { ...fields, title: `${fields.title}, with ${options}` }
      const without = await house.ask('resident', '/report', { headers: browser, body: multipart(another) })
      expect(without.status).toBe(303)
    })

    it('takes no email that it holds only the beginning of', async () => {
      const taken = await count('incidents')
      for (const bytes of [64, 66, 70, 80].map((kilobytes) => kilobytes * 1024)) {
        const { status } = await arrives(bytes)
        expect([bytes, status]).toEqual([bytes, 503])
      }
      expect(await count('incidents')).toBe(taken)
    })
  })
}

it('a photo store of another building takes no photo and loses none, and staff are told why', async () => {
  const other = '3f9a0123-0000-4000-8000-000000000000'
  const [{ id } = { id: '' }] = await query<{ id: string }>(
    'select building_id::text as id from building_identity',
  )
  await house.json('guest', '/readyz')
  const files = await filesInStore()
  await query('update building_identity set building_id = $1', [other])
  const warn = vi.spyOn(log, 'warn')
  try {
    expect(await tidy(config.uploadDir)).toMatchObject({
      orphanedPhotos: 0,
      photosLeftAlone: 'the photo store belongs to another building',
    })
    expect(await filesInStore()).toBe(files)
    expect(warn.mock.calls.flat()).toContainEqual(expect.stringMatching(/npm run photos -- --adopt/))
    const { checkPhotoStore } = await import('../../../src/incidents/model/photos/buildingPhotoStore.js')
    await expect(checkPhotoStore()).rejects.toThrow(StoreUnavailable)
    expect(photoStoreFault()).toBe('the photo store belongs to another building')
  } finally {
    await query('update building_identity set building_id = $1', [id])
  }
})

describe('a building whose photos may be another’s', () => {
  it.each([
    ['restored', /is a copy/],
    ['moved', /has moved/],
  ] as const)('(%s) takes none out of use, and says why', async (why, reason) => {
    const [orphan, staged] = [newPhotoPath(), newPhotoPath()]
    for (const each of [orphan, staged]) {
      await photoStore.put(each, photo)
      utimesSync(join(config.photoDir, each), 0, 0)
    }
    await query(
      `insert into staged_photos (user_id, path, width, height, bytes, created_at)
       values (1, $1, 1, 1, 1, now() - interval '2 days')`,
      [staged],
    )
    const files = await filesInStore()
    await pauseSending(systemActor('cli'), why)
    expect(await tidy(config.uploadDir)).toMatchObject({
      stagedPhotos: 0,
      orphanedPhotos: 0,
      photosLeftAlone: expect.stringMatching(reason),
    })
    await expect(sweepPhotos({ evenIfTooManyUnknown: true })).rejects.toThrow(reason)
    expect(await filesInStore()).toBe(files)
    await resumeSending(systemActor('cli'))
    expect(await tidy(config.uploadDir)).toMatchObject({ stagedPhotos: 1, orphanedPhotos: 1 })
    expect(await filesInStore()).toBe(files - 2)
  })
})

function away(): Promise<never> {
  const cause = Object.assign(new Error('no'), { code: 'ENOSPC' })
  return Promise.reject(new StoreUnavailable({ cause }))
}

/** The addresses that take photos, with what the form of each calls its text. */
function doors(): [string, Record<string, string>][] {
  return [
    ['/report', fields],
    ['/incidents', fields],
    ['/api/incidents', fields],
    ['/incidents/:id/updates', { body: 'Dark <still>' }],
    ['/api/incidents/:id/updates', { body: 'Dark <still>' }],
  ]
}

function at(door: string): string {
  return door.replace(':id', String(incident.id))
}

/** What was typed into a form with these fields. */
function textOf(form: Record<string, string>): string {
  return form.body ?? form.title!
}

/** How many rows there are of everything that a write could have left. */
async function counts() {
  const tables = [
    'incidents',
    'incident_updates',
    'photos',
    'staged_photos',
    'held_email_photos',
    'outbox',
    'idempotency_keys',
    'audit_entries',
  ]
  const columns = tables.map((name) => `(select count(*) from ${name}) as ${name}`)
  return (await query(`select ${columns.join(', ')}`))[0]
}

async function filesInStore(): Promise<number> {
  let files = 0
  for await (const _file of localStore(config.photoDir).list('photos')) files += 1
  return files
}
