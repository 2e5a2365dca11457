import { describe, expect, it } from 'vitest'
import { migrations } from '../../migrations/index.js'
import { query } from '../../src/platform/db/database.js'
import { migrate } from '../../src/platform/db/migrations/migrate.js'
import { useDatabase } from '../support/database.js'
import { insertRow, scalar } from '../support/rows.js'

useDatabase({ empty: true })

describe('the migration that brings receipts', () => {
  it('leaves residents alone who want no emails about reports', async () => {
    const n = migrations.findIndex(({ name }) => name.endsWith('_receipts'))
    await migrate(migrations.slice(0, n))
    const wanted = {
      'status.mail': false,
      'comment.mail': false,
      'escalated.mail': false,
      'merged.mail': false,
    }
    const person = { name: 'Ann', email: 'ann@example.com', role: 'resident', notifications: wanted }
    const { id } = await insertRow('users', person)
    await query(`insert into users (name, email, role) values ('Bo', 'bo@example.com', 'resident')`)
    await migrate(migrations.slice(0, n + 1))
    const chosen = 'select notifications from users where id = $1'
    expect(await scalar(chosen, [id])).toEqual({ ...wanted, 'created.mail': false })
    expect(await scalar('select notifications from users where email = $1', ['bo@example.com'])).toEqual({})
  })
})
