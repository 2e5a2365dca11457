import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import type { Asked, Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { multipart, picture } from '../../support/pictures.js'
import { statementsOf } from '../../support/statements.js'

const house = useHouse()
const fields = { assetId: '1', title: 'It hums', severity: 'low' }
const browser = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

afterEach(() => vi.restoreAllMocks())

describe('a report is one statement and its records, whatever comes with it', () => {
  it('as a phone sends it', async () => {
    const json = { ...fields, assetId: 1 }
    expect(await stepsOf('mobile', '/api/incidents', { json })).toEqual(written)
  })

  it('as a phone sends it that may have to send it again', async () => {
    const asked = { json: { ...fields, assetId: 1 }, headers: { 'idempotency-key': 'statements-1' } }
    expect(await stepsOf('mobile', '/api/incidents', asked)).toEqual(written)
  })

  it('as a form with its key', async () => {
    expect(await stepsOf('resident', '/report', form('statements-2'))).toEqual(written)
  })

  it('as one that was sent before, which is looked up once it has failed', async () => {
    const asked = form('statements-again')
    const first = await house.ask('resident', '/report', asked)
    const before = await query('select count(*) from incidents')
    expect((await stepsOf('resident', '/report', asked)).slice(0, 8)).toEqual([
      ...written,
      'rollback',
      'used key',
    ])
    const again = await house.ask('resident', '/report', asked)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await query('select count(*) from incidents')).toEqual(before)
  })

  it('is not stored when the start of its transaction is refused, which it does not wait for', async () => {
    const titles = () => query(`select title from incidents where title = 'It hums, refused'`)
    const { query: send } = pg.Client.prototype
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const [text, ...rest] = given
      const isBegin = typeof text === 'string' && text.startsWith('begin;')
      return send.apply(this, [isBegin ? 'select 1 / 0' : text, ...rest] as never) as never
    })
    const answer = await house.ask('resident', '/report', form('refused'))
    expect(answer.status).toBe(500)
    vi.restoreAllMocks()
    expect(await titles()).toEqual([])
    expect((await house.ask('resident', '/report', form('refused'))).status).toBe(303)
    expect(await titles()).toEqual([{ title: 'It hums, refused' }])
  })

  it('as a form with its key, photos that come with it and photos kept by an earlier try', async () => {
    const photos = [{ bytes: await picture() }, { bytes: await picture('png') }]
    const page = await house.page('resident', '/report', {
      body: multipart({ ...fields, title: '', formKey: 'statements-3' }, photos),
      headers: browser,
    })
    const kept = page('input[name=stagedPhotos]').toArray()
    expect(kept.length).toBe(2)
    const body = multipart({ ...fields, title: 'It hums, statements-4', formKey: 'statements-4' }, photos)
    for (const input of kept) body.append('stagedPhotos', page(input).attr('value')!)
    expect(await stepsOf('resident', '/report', { body, headers: browser })).toEqual([
      'who asks',
      'how often',
      'used key',
      'kept photos',
      'how often',
      'begin',
      'report',
      'records',
      'commit',
    ])
    const [made] = await query(
      `select (select count(*)::integer from photos where incident_id = i.id) as photos,
         (select count(*)::integer from staged_photos) as staged,
         (select count(*)::integer from followers where incident_id = i.id) as followers,
         (select count(*)::integer from audit_entries where entity = 'incident' and entity_id = i.id) as entries,
         (select made_id = i.id from idempotency_keys where key = 'statements-4') as remembered
       from incidents i order by id desc limit 1`,
    )
    expect(made).toEqual({ photos: 4, staged: 0, followers: 1, entries: 1, remembered: true })
  })
})

describe('an uploaded photo', () => {
  /** How often files of the upload folder were opened for reading while this was asked. */
  async function readsDuring(asked: Asked): Promise<number> {
    const isUpload = ([file]: unknown[]) => String(file).startsWith(config.uploadDir)
    const spies = [vi.spyOn(fs, 'createReadStream'), vi.spyOn(fs, 'readFile'), vi.spyOn(fsPromises, 'open')]
    const whole = vi.spyOn(fsPromises, 'readFile')
    syncBuiltinESMExports()
    await house.ask('resident', '/report', asked)
    const reads = [...spies, whole].flatMap(({ mock }) => (mock.calls as unknown[][]).filter(isUpload))
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    return reads.length
  }

  it('is read once, by what makes a picture of it', async () => {
    const body = multipart({ ...fields, title: 'It hums, reads-1', formKey: 'reads-1' }, [
      { bytes: await picture() },
    ])
    expect(await readsDuring({ body, headers: browser })).toBe(1)
  })

  it('is not read at all when the form was sent before, and still tells one form from another', async () => {
    const send = async (colour: string) => ({
      body: multipart({ ...fields, title: 'It hums, reads-2', formKey: 'reads-2' }, [
        { bytes: await picture('jpeg', colour) },
      ]),
      headers: browser,
    })
    expect(await readsDuring(await send('#111'))).toBe(1)
    expect(await readsDuring(await send('#111'))).toBe(0)
    expect((await house.ask('resident', '/report', await send('#eee'))).status).toBe(422)
  })
})

/** What a statement is for, by words of its text. */
const steps: [string, RegExp][] = [
  ['begin', /^begin/],
  ['report', /insert into incidents/],
  ['records', /insert into audit_entries/],
  ['commit', /^commit/],
  ['who asks', /from sessions s|is_mobile_reporter/],
  ['how often', /into "?throttles/i],
  ['used key', /^select digest, made_id/],
  ['kept photos', /^select id, path.* from staged_photos/],
]

/** The statements of a report without photos: its start and itself share one round trip. */
const written = ['who asks', 'how often', 'begin', 'report', 'records', 'commit']

/** What each statement of this request is for. */
async function stepsOf(who: Who, path: string, asked: Asked): Promise<string[]> {
  return (await statementsOf(house, who, path, asked)).map(stepOf)
}

function stepOf(text: string): string {
  return steps.find(([, words]) => words.test(text.trim()))?.[0] ?? text
}

/** The form of a report with a key of its own. */
function form(key: string, more: Record<string, string> = {}): Asked {
  return {
    form: { ...fields, title: `It hums, ${key}`, formKey: key, ...more },
    headers: browser,
  }
}
