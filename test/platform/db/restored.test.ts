import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { statusRows, statusStillExact } from '../../../src/status/queries/status.js'
import { asOwner, useDatabase } from '../../support/database.js'
import { eventually } from '../../support/run/eventually.js'

const url = useDatabase()

describe('in a cluster that counts its transactions from less than the one a dump was made in', () => {
  it('a computed status stays exact, though restored entries have numbers yet to come', async () => {
    await entry(number(1_000_000_000))
    const { stamp } = await statusRows()
    for (let i = 0; i < 5; i++) {
      await somethingElse()
      expect([i, (await statusStillExact(stamp)).exact]).toEqual([i, true])
    }
  })

  it('it does so again once the counter has passed such a number', async () => {
    await entry(number(2))
    for (let i = 0; i < 5; i++) await somethingElse()
    expect(await exactStamp()).toBeTruthy()
  })

  it('a change is seen at once all the same', async () => {
    const stamp = await exactStamp()
    await entry()
    expect((await statusStillExact(stamp)).exact).toBe(false)
  })
})

/**
 * An audit entry of a change to the status view, by the transaction of this number; the
 * present one's by default.
 */
const entry = (transactionId = 'pg_current_xact_id()') =>
  asOwner(
    `insert into audit_entries (actor_type, actor_name, action, entity, via, affects_status, transaction_id)
     values ('system', 'S', 'incident.updated', 'incident', 'cli', true, ${transactionId})`,
    url(),
  )

/** A transaction number this far from the next. */
const number = (distance: number) =>
  `((pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${distance})::text)::xid8`

/** Something that is no change to the status view, so that another snapshot is the current one. */
const somethingElse = () => query(`update users set locale = locale where id = 1`)

/**
 * The stamp of a computed status that something else leaves exact. Other tests' transactions count
 * in the same cluster: while the one that got the number of a restored entry is under way, the
 * status is computed anew.
 */
const exactStamp = () =>
  eventually(async () => {
    const { stamp } = await statusRows()
    await somethingElse()
    expect((await statusStillExact(stamp)).exact).toBe(true)
    return stamp
  })
