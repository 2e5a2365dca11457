import { describe, expect, it } from 'vitest'
import { reportIncident } from '../src/actions/incidents/reportIncident.js'
import { type Change, change } from '../src/change.js'
import { query } from '../src/database.js'
import type { Actor } from '../src/domain/accounts/actor.js'
import { systemActor } from '../src/domain/accounts/actor.js'
import { settled, startOutbox, stopOutbox } from '../src/outbox.js'
import { useDatabase } from './support/database.js'

useDatabase()
const actor = systemActor('cli')

const rename = async (c: Change, name: string) => {
  await c.query('update properties set name = $1', [name])
}
const nameNow = async () => (await query<{ name: string }>('select name from properties'))[0]!.name
const entries = async () => (await query<{ n: number }>('select count(*) as n from audit_entries'))[0]!.n

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
    await change(actor, async (c) => c.unchanged())
    expect(await entries()).toBe(before)
  })

  it('stamps entries with the database’s clock and says who did what, how', async () => {
    await change({ ...actor, requestId: 'r-1' }, async (c) => {
      await rename(c, 'Larkspur House')
      c.audit('property.updated', 1, { name: { before: 'a', after: 'b' } })
    })
    const [entry] = await query(`select * from audit_entries where request_id = 'r-1'`)
    expect(entry).toMatchObject({
      actor_type: 'system',
      actor_id: null,
      actor_name: 'System',
      action: 'property.updated',
      entity: 'property',
      entity_id: 1,
      changes: { name: { before: 'a', after: 'b' } },
      via: 'cli',
      affects_status: true,
    })
    expect(Math.abs(entry!.at - Date.now())).toBeLessThan(10_000)
  })

  it('wakes the outbox after its commit, with the assets it touched', async () => {
    const woken: number[][] = []
    startOutbox([], async (assets) => void woken.push([...assets]))
    await change(actor, async (c) => {
      c.audit('property.updated', 1)
      c.touch(4)
      c.touch(null)
      c.touch(4)
    })
    await settled()
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
    const [row] = await query(
      `select
        (select to_jsonb(i) - 'id' - 'created_at' from incidents i where id = $1) as incident,
        (select json_agg(user_id) from followers where incident_id = $1) as followers,
        (select json_agg(to_jsonb(a) - 'id' - 'at' - 'entity_id' - 'transaction_id') from audit_entries a where entity = 'incident' and entity_id = $1) as entries,
        (select json_agg(jsonb_set((body::jsonb - 'occurredAt'), '{incident,id}', '0')) from webhook_deliveries where (body::json -> 'incident' ->> 'id')::int = $1) as bodies,
        (select bool_and((body::json ->> 'occurredAt')::timestamptz = i.created_at) from webhook_deliveries, incidents i where i.id = $1 and (body::json -> 'incident' ->> 'id')::int = $1) as same_moment`,
      [id],
    )
    return row
  }

  it('leaves the same behind in one statement as in a transaction', async () => {
    await query(
      `insert into webhook_subscriptions (url, secret, events) values ('http://127.0.0.1:1/', 's', '{incident.created}')`,
    )
    const [user] = await query<{ id: number; name: string }>(
      `select id, name from users where email = 'resident@example.com'`,
    )
    const resident: Actor = { type: 'user', id: user!.id, name: user!.name, role: 'resident', via: 'web' }
    const alone = await reportIncident(resident, report)
    const together = await reportIncident({ ...resident, idempotency: { key: 'k', digest: 'd' } }, report)
    const { id: _a, createdAt: _b, ...first } = alone.incident
    const { id: _c, createdAt: _d, ...second } = together.incident
    expect(first).toEqual(second)
    expect(await trace(alone.incident.id)).toEqual(await trace(together.incident.id))
    expect(await trace(alone.incident.id)).toMatchObject({ same_moment: true })
  })

  it('of an archived asset is refused both ways', async () => {
    await query('update assets set archived_at = now() where id = 2')
    const keyed = { ...actor, idempotency: { key: 'k2', digest: 'd' } }
    for (const who of [actor, keyed]) {
      await expect(reportIncident(who, { ...report, assetId: 2 })).rejects.toMatchObject({
        fields: { assetId: ['asset_unknown'] },
      })
    }
  })
})
