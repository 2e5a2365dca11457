import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { reportIncident } from '../../../src/incidents/acts/reportIncident.js'
import type { StagedPhoto } from '../../../src/incidents/model/photos/photos.js'
import { AlreadyDone, type Change, change, registerAfterCommit } from '../../../src/platform/db/change.js'
import { query } from '../../../src/platform/db/database.js'
import { idempotently } from '../../../src/platform/db/idempotently.js'
import { idle, startOutbox, stopOutbox } from '../../../src/platform/outbox/outbox.js'
import { type Actor, systemActor } from '../../../src/vocabulary/people/actor.js'
import { useDatabase } from '../../support/database.js'
import { column, count, scalar } from '../../support/rows.js'
import { queryAfterFanOut } from '../../support/sending.js'

useDatabase()
const actor = systemActor('cli')

const rename = async (c: Change, name: string) => {
  await c.query('update properties set name = $1', [name])
}
const nameNow = () => scalar<string>('select name from properties')
const entries = () => count('audit_entries')

describe('a change', () => {
  it('throws without an audit entry, and nothing is stored', async () => {
    const before = await nameNow()
    await expect(change(actor, (c) => rename(c, 'Silently'))).rejects.toThrow('without an audit entry')
    expect(await nameNow()).toBe(before)
  })

  it('stores nothing of what an action did before it failed, entries and events included', async () => {
    const before = [await nameNow(), await entries()]
    const failing = change(actor, async (c) => {
      await rename(c, 'Half')
      c.audit('property.updated', 1)
      throw new Error('half way')
    })
    await expect(failing).rejects.toThrow('half way')
    expect([await nameNow(), await entries()]).toEqual(before)
  })

  it('that needed nothing leaves nothing, and is no act', async () => {
    const before = await entries()
    await change(actor, async (c) => c.noop())
    expect(await entries()).toBe(before)
  })

  it('that is stored sends nothing more on its connection, even if what follows fails', async () => {
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => {
      sent.mockRestore()
      registerAfterCommit(() => {})
    })
    registerAfterCommit(() => {
      throw new Error('after the commit')
    })
    const stored = change(actor, async (c) => {
      await rename(c, 'Stored')
      c.audit('property.updated', 1)
    })
    await expect(stored).rejects.toThrow('after the commit')
    expect(sent.mock.calls.map(([text]) => text as unknown)).not.toContain('rollback')
    expect(await nameNow()).toBe('Stored')
  })

  it('stamps entries with the database’s clock and says who did what, how', async () => {
    await change({ ...actor, requestId: 'r-1' }, async (c) => {
      await rename(c, 'Larkspur House')
      c.audit('property.updated', 1, { name: { before: 'a', after: 'b' } })
    })
    const [entry] = await query(`select * from audit_entries where request_id = 'r-1'`)
    expect(entry).toMatchObject({
      actorType: 'system',
      actorId: null,
      actorName: 'System',
      action: 'property.updated',
      entity: 'property',
      entityId: 1,
      changes: { name: { before: 'a', after: 'b' } },
      via: 'cli',
      affectsStatus: true,
    })
    expect(Math.abs(entry!.at - Date.now())).toBeLessThan(10_000)
  })

  it.each([1, 21, 501])('of %i acts has an entry for each, in their order', async (count) => {
    const ids = Array.from({ length: count }, (_, i) => (i === 0 ? null : count - i))
    await change({ ...actor, requestId: `many-${count}` }, async (c) => {
      for (const id of ids) c.audit('asset.updated', id, { name: { before: null, after: `"a"\n${id}` } })
    })
    const by = {
      actorType: 'system',
      actorId: null,
      actorName: 'System',
      via: 'cli',
      affectsStatus: true,
    }
    expect(
      await query('select * from audit_entries where request_id = $1 order by id', [`many-${count}`]),
    ).toMatchObject(
      ids.map((id) => ({
        ...by,
        action: 'asset.updated',
        entity: 'asset',
        entityId: id,
        changes: { name: { before: null, after: `"a"\n${id}` } },
      })),
    )
  })

  it('wakes the outbox after its commit, with the assets it touched', async () => {
    const woken: number[][] = []
    startOutbox([], async (assets) => void woken.push([...assets]))
    await change(actor, async (c) => {
      c.audit('property.updated', 1)
      c.recheckStatus(4)
      c.recheckStatus(null)
      c.recheckStatus(4)
    })
    await idle()
    await stopOutbox()
    expect(woken).toEqual([[4]])
  })

  it('leaves the connection clean after an error in SQL', async () => {
    for (let i = 0; i < 30; i++) {
      await expect(change(actor, (c) => c.query('select 1 / 0'))).rejects.toMatchObject({ code: '22012' })
    }
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a report', () => {
  const report = {
    title: 'Same',
    description: 'd',
    severity: 'high' as const,
    assetId: 1,
    unitId: null,
    isAnonymous: false,
  }

  /** What a report leaves in the tables, without what must differ. */
  async function trace(id: number) {
    const [row] = await queryAfterFanOut(
      `select
        (select to_jsonb(i) - 'id' - 'created_at' from incidents i where id = $1) as incident,
        (select json_agg(user_id) from followers where incident_id = $1) as followers,
        (select json_agg(to_jsonb(a) - 'id' - 'at' - 'entity_id' - 'transaction_id')
           from audit_entries a
           where entity = 'incident' and entity_id = $1) as entries,
        (select json_agg(jsonb_set((body::jsonb - 'occurredAt'), '{incident,id}', '0'))
           from webhook_deliveries
           where (body::json -> 'incident' ->> 'id')::int = $1) as bodies,
        (select bool_and((body::json ->> 'occurredAt')::timestamptz = i.created_at)
           from webhook_deliveries, incidents i
           where i.id = $1 and (body::json -> 'incident' ->> 'id')::int = $1) as same_moment`,
      [id],
    )
    return row
  }

  it('leaves the same behind with a key as without', async () => {
    await query(
      `insert into webhook_subscriptions (url, secret, events)
       values ('http://127.0.0.1:1/', 's', '{incident.created}')`,
    )
    const bare = await reportIncident(await resident(), report)
    const keyed = await reportIncident(await resident('k'), report)
    const { id: _a, createdAt: _b, ...first } = bare.incident
    const { id: _c, createdAt: _d, ...second } = keyed.incident
    expect(first).toEqual(second)
    expect(await trace(bare.incident.id)).toEqual(await trace(keyed.incident.id))
    expect(await trace(bare.incident.id)).toMatchObject({ sameMoment: true })
  })

  it('of an archived asset is refused both ways, and its key is free for the next try', async () => {
    await query('update assets set archived_at = now() where id = 2')
    const keyed = await resident('k2')
    for (const who of [actor, keyed]) {
      await expect(reportIncident(who, { ...report, assetId: 2 })).rejects.toMatchObject({
        fields: { assetId: ['asset_unknown'] },
      })
    }
    expect((await reportIncident(keyed, report)).incident.assetId).toBe(1)
  })

  it('takes the place of what its key made more than a day ago, and of nothing newer', async () => {
    const first = await reportIncident(await resident('daily'), report)
    await query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'daily'`)
    const second = await reportIncident(await resident('daily'), report)
    expect(second.incident.id).toBeGreaterThan(first.incident.id)
    const before = await everything()
    await expect(reportIncident(await resident('daily'), report)).rejects.toBeInstanceOf(AlreadyDone)
    expect(await everything()).toEqual(before)
    expect(await query(`select made_id from idempotency_keys where key = 'daily'`)).toEqual([
      { madeId: second.incident.id },
    ])
  })

  it('of many at once with one key is made once', async () => {
    const who = await resident('at once')
    const settledReports = await Promise.allSettled(
      Array.from({ length: 8 }, () => reportIncident(who, report)),
    )
    const reasons = settledReports.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(reasons).toHaveLength(7)
    for (const reason of reasons) expect(reason).toBeInstanceOf(AlreadyDone)
  })

  it('of many at once takes staged photos once, and whoever comes later is told what the first one made', async () => {
    const staged = await stage(2)
    const who = await resident('staged at once')
    const send = () =>
      idempotently(
        who,
        async () => (await reportIncident(who, report, { stored: [], staged })).incident.id,
        async (id) => id,
      )
    const ids = await Promise.all(Array.from({ length: 8 }, send))
    expect(new Set(ids).size).toBe(1)
    expect(await photosOf(ids[0]!)).toEqual(staged.map(({ path }) => path))
    expect(await stagedNow()).toEqual([])
  })

  it('that finds one of its staged photos gone, or its place, stores nothing and takes none of the others', async () => {
    const staged = await stage(3)
    await query('delete from staged_photos where id = $1', [staged[1]!.id])
    const left = [staged[0]!, staged[2]!]
    const before = await everything()
    await expect(
      reportIncident(await resident('gone'), report, { stored: [], staged }),
    ).rejects.toMatchObject({ fields: { photos: ['photo_staged_gone'] } })
    await expect(
      reportIncident(await resident('gone'), { ...report, assetId: 999_999 }, { stored: [], staged: left }),
    ).rejects.toMatchObject({ fields: { assetId: ['asset_unknown'] } })
    expect(await everything()).toEqual(before)
    const { incident, photos } = await reportIncident(await resident('gone'), report, {
      stored: [],
      staged: left,
    })
    expect(photos).toEqual(
      left.map(({ path, width, height }) => ({
        id: expect.any(Number),
        path,
        width,
        height,
        createdAt: incident.createdAt,
        updateId: null,
        incidentId: incident.id,
        hiddenAt: null,
      })),
    )
  })

  const resident = async (key?: string): Promise<Actor> => {
    const [user] = await query<{ id: number; name: string }>(
      `select id, name from users where email = 'resident@example.com'`,
    )
    const idempotency = key === undefined ? {} : { idempotency: { key, digest: 'd' } }
    return { type: 'user', id: user!.id, name: user!.name, role: 'resident', via: 'web', ...idempotency }
  }
  const stage = async (count: number) =>
    query<StagedPhoto>(
      `insert into staged_photos (user_id, path, width, height, bytes)
       select u.id, 'staged/' || gen_random_uuid(), 4, 3, 9 from users u, generate_series(1, $1) n
       where u.email = 'resident@example.com' returning id, path, width, height, bytes`,
      [count],
    )
  const stagedNow = () => query('select id from staged_photos order by id')
  const photosOf = (incidentId: number) =>
    column<string>('select path from photos where incident_id = $1 order by id', [incidentId])

  /** How much there is of all that a report writes. */
  async function everything() {
    const tables = ['incidents', 'followers', 'photos', 'audit_entries', 'outbox', 'webhook_deliveries']
    const counts = [...tables, 'idempotency_keys'].map(
      (table) => `(select count(*) from ${table}) as ${table}`,
    )
    return [await query(`select ${counts.join(', ')}`), await stagedNow()]
  }
})
