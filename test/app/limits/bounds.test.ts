import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { bounds, limits } from '../../../src/vocabulary/limits.js'
import { userIdOf } from '../../support/accounts.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts, setCountOf } from '../../support/house/limits.js'
import { multipart, picture } from '../../support/pictures.js'
import { count, manyRows } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'

const house = useHouse()
let photo: Buffer

beforeAll(async () => {
  photo = await picture()
})

it('sessions of one person are fifty at most, however many sign in at once, and the least used end first', async () => {
  const id = await userIdOf('manager')
  await query(
    `insert into sessions (id_hash, user_id, epoch, data, expires_at, last_seen_at)
       select sha256(convert_to(n::text, 'UTF8')), $1, (select session_epoch from users where id = $1), '{"form":"x"}',
         now() + interval '1 day', now() - n * interval '1 minute' from generate_series(1, $2::integer) n`,
    [id, bounds.sessions + 7],
  )
  const cookies = await together(6, () => house.signIn('manager@example.com'))
  expect(await count('sessions where user_id = $1', [id])).toBe(bounds.sessions)
  for (const cookie of cookies) {
    const answer = await house.ask({ cookie }, '/api/auth/get-session')
    expect((await answer.json()).user.email).toBe('manager@example.com')
  }
  expect(await count(`sessions where id_hash = sha256('1')`)).toBe(1)
  expect(await count(`sessions where id_hash = sha256($1::text::bytea)`, [String(bounds.sessions + 7)])).toBe(
    0,
  )
  expect(await lastAudit('user.signed_in')).toEqual({
    sessions: { before: bounds.sessions + 1, after: bounds.sessions },
  })
})

describe('phones', () => {
  const register = (who: Who, token: string) =>
    house.ask(who, '/api/devices', { json: { token, platform: 'ios' } })
  const fill = async (who: Who, many: number) =>
    manyRows('devices', many, {
      token: `'${who}-old-' || n`,
      platform: `'ios'`,
      user_id: String(await userIdOf(who)),
      created_at: `now() - n * interval '1 minute'`,
      updated_at: `now() - n * interval '1 minute'`,
    })

  it.each([
    ['resident', bounds.devices],
    ['mobile', bounds.devicesOfPhones],
  ] as const)(
    'of %s are %i at most, however many register at once, and the oldest is forgotten',
    async (who, most) => {
      const id = await userIdOf(who)
      await query('delete from devices where user_id = $1', [id])
      await fill(who, most)
      const answers = await together(4, (i) => register(who, `${who}-new-${i}`))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await count('devices where user_id = $1', [id])).toBe(most)
      expect(await count(`devices where token like $1`, [`${who}-new-%`])).toBe(4)
      expect(await count(`devices where token = $1`, [`${who}-old-${most}`])).toBe(0)
      expect(await lastAudit('device.removed')).toMatchObject({ devices: { after: most } })
    },
  )

  it('that come from someone else count as well', async () => {
    const id = await userIdOf('resident')
    await fill('manager', 3)
    for (let i = 1; i <= 3; i++) expect((await register('resident', `manager-old-${i}`)).status).toBe(200)
    expect(await count('devices where user_id = $1', [id])).toBe(bounds.devices)
  })
})

describe('webhook subscriptions', () => {
  const subscribe = () =>
    house.ask('manager', '/api/admin/webhooks', { json: { url: 'https://93.184.216.34/hook', events: [] } })

  it('are a hundred at most in the building, however many are made at once, and then say so', async () => {
    const many = bounds.subscriptions - 2 - (await count('webhook_subscriptions'))
    const url = `'https://93.184.216.34/h'`
    await manyRows('webhook_subscriptions', many, { url, secret: `'x'`, events: `'{}'` })
    const answers = await together(5, subscribe)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422])
    const refused = answers.find(({ status }) => status === 422)!
    expect((await refused.json()).errors.url).toEqual([
      'You’ve reached the limit of 100 webhooks. Delete one you don’t need',
    ])
    expect(await count('webhook_subscriptions')).toBe(bounds.subscriptions)
    const { id } = await answers.find(({ status }) => status === 201)!.json()
    await house.ask('manager', `/api/admin/webhooks/${id}`, { method: 'DELETE' })
    expect((await subscribe()).status).toBe(201)
  })
})

describe('photos', () => {
  const form = (photos: number, fields: Record<string, string> = {}) => ({
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    body: multipart({ assetId: '2', severity: 'low', ...fields }, Array(photos).fill({ bytes: photo })),
  })

  it('kept for a form are twenty at most, the oldest goes with its file, and the newest are offered', async () => {
    const id = await userIdOf('resident')
    for (let i = 0; i < 4; i++) expect((await house.ask('resident', '/report', form(5))).status).toBe(422)
    const [first] = await query<{ path: string }>(
      'select path from staged_photos where user_id = $1 order by created_at, id',
      [id],
    )
    const kept = () => count('staged_photos where user_id = $1', [id])
    expect(await kept()).toBe(bounds.stagedPhotos)
    const pages = await together(3, () => house.ask('resident', '/report', form(5)))
    for (const page of pages) expect((await page.text()).match(/name="stagedPhotos/g)).toHaveLength(5)
    expect(await kept()).toBe(bounds.stagedPhotos)
    expect(existsSync(path.join(config.photoDir, first!.path))).toBe(false)
    const rows = await query<{ path: string }>('select path from staged_photos where user_id = $1', [id])
    for (const row of rows) expect(existsSync(path.join(config.photoDir, row.path))).toBe(true)
  })

  it('of one person are three hundred a day, then the report goes without', async () => {
    await setCountOf('photos', String(await userIdOf('resident')), bounds.photosPerDay - 3)
    const reportWith = (photos: number) =>
      house.ask('resident', '/api/incidents', {
        body: multipart(
          { assetId: '2', title: 'Many', severity: 'low' },
          Array(photos).fill({ bytes: photo }),
        ),
      })
    const answers = await together(3, () => reportWith(2))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const refused = answers.find(({ status }) => status === 422)!
    expect((await refused.json()).errors.photos[0]).toMatch(/today’s photo limit/)
    expect((await reportWith(0)).status).toBe(201)

    const before = await count('staged_photos')
    const page = await house.ask('resident', '/report', form(2, { title: 'Kept words' }))
    expect(page.status).toBe(422)
    const html = await page.text()
    expect(html).toContain('Kept words')
    expect(html).toMatch(/today’s photo limit/)
    expect(await count('staged_photos')).toBe(before)
    const manager = await house.ask('manager', '/api/incidents', {
      body: multipart({ assetId: '2', title: 'Of the office', severity: 'low' }, [{ bytes: photo }]),
    })
    expect(manager.status).toBe(201)
  })

  it('of all phones of one network have a bound of their own', async () => {
    const reportByPhone = () =>
      house.ask('mobile', '/api/incidents', {
        body: multipart({ assetId: '2', title: 'By phone', severity: 'low' }, [{ bytes: photo }]),
      })
    await setCountOf('phones-photos', '127.0.0.1', bounds.photosPerDay)
    expect((await reportByPhone()).status).toBe(201)
    await setCountOf('phones-photos', '127.0.0.1', bounds.photosPerDayOfPhones)
    expect((await reportByPhone()).status).toBe(422)
  })
})

describe('the timeline of one incident', () => {
  const comment = (who: Who, id: number, json: object) =>
    house.ask(who, `/api/incidents/${id}/updates`, { json })

  /** Writers with a share each: a person, and the network of the phones. */
  it.each([
    ['entries', 'x', bounds.writerEntries],
    ['text', 'x'.repeat(limits.text), Math.floor(bounds.writerBytes / limits.text)],
  ])('takes so many %s of one writer, which is no one else’s loss', async (_what, body, many) => {
    const id = await house.report({ assetId: 4, severity: 'low', reporter: 'board' })
    const other = await house.report({ assetId: 4, severity: 'low' })
    for (const who of perRun<Who[]>({ quick: ['resident'], whole: ['mobile', 'resident'] })) {
      for (let i = 0; i < many; i++) expect((await comment(who, id, { body })).status).toBe(201)
      const refused = await comment(who, id, { body })
      expect([refused.status, (await refused.json()).code]).toEqual([409, 'timeline_full'])
      expect((await comment(who, other, { body })).status).toBe(201)
    }
    for (let i = 0; i <= perRun({ quick: 1, whole: many }); i++)
      expect((await comment('manager', id, { body })).status).toBe(201)
    // A month later the share begins again.
    await forgetCounts('timeline-')
    expect((await comment('resident', id, { body })).status).toBe(201)
  })

  it.each([
    ['entries', 'x', bounds.timelineEntries],
    ['text', 'x'.repeat(limits.text), Math.ceil(bounds.timelineBytes / limits.text)],
  ])('is full with so much %s, for all but the office, and opens quickly', async (_what, body, many) => {
    const id = await house.report({ assetId: 4, severity: 'low' })
    await manyRows('incident_updates', many - 2, {
      incident_id: String(id),
      author_label: `'Somebody'`,
      body: `'${body}'`,
    })
    expect((await comment('resident', id, { body })).status).toBe(201)
    expect((await comment('mobile', id, { body })).status).toBe(201)
    const refused = await comment('resident', id, { body: 'One more' })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'timeline_full'])
    expect((await comment('manager', id, { body: 'Thank you all' })).status).toBe(201)
    const detail = await house.ask('guest', `/api/incidents/${id}`)
    expect(Buffer.byteLength(await detail.text())).toBeLessThan(3_000_000)
    const page = await house.ask('guest', `/incidents/${id}`)
    expect(Buffer.byteLength(await page.text())).toBeLessThan(4_000_000)
  })
})

/** Does something so many times at once. */
function together<T>(many: number, act: (i: number) => Promise<T>) {
  return Promise.all(Array.from({ length: many }, (_, i) => act(i)))
}

async function lastAudit(action: string) {
  return (
    await query<{ changes: unknown }>(
      'select changes from audit_entries where action = $1 order by id desc limit 1',
      [action],
    )
  )[0]?.changes
}
