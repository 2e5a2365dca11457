import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { readConfig } from '../../../src/platform/process/config.js'
import { describeError } from '../../../src/platform/process/log.js'
import { version } from '../../../src/platform/process/version.js'
import { statusRows } from '../../../src/status/queries/status.js'
import { asOwner, useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { startCaretaker } from '../../support/process.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const url = useDatabase()
const dataDir = newFolder()

const connections = async () => {
  const rows = await query<{ name: string; n: number }>(
    `select application_name as name, count(*)::integer as n from pg_stat_activity
     where datname = current_database() group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

describe('the connections of a process', () => {
  itInWholeRun('are no more than its setting and one, and say what they are for', async () => {
    const env = { DATABASE_URL: url(), DATA_DIR: dataDir, DATABASE_POOL: '3', ...keys }
    const web = await startCaretaker(env)
    const asked = Array.from({ length: 40 }, (_, n) =>
      fetch(`${web.origin}${['/incidents', '/api/status', '/assets/1'][n % 3]}`),
    )
    expect((await Promise.all(asked)).filter(({ status }) => status === 500)).toEqual([])
    const counted = await connections()
    expect(counted[`caretaker web ${version}`]).toBe(4)
    expect(web.output()).toContain(`"version":"${version}"`)
    const monitor = { headers: { authorization: `Bearer ${keys.METRICS_TOKEN}` } }
    expect(await (await fetch(`${web.origin}/readyz`, monitor)).json()).toMatchObject({ version })
    expect(await (await fetch(`${web.origin}/readyz`)).json()).not.toHaveProperty('version')
    expect(await web.end()).toBe(0)
  })

  it.each(['1', '0', 'many', '101', '2.5'])('are not set to %s', (DATABASE_POOL) => {
    expect(() => readConfig({ ...keys, DATABASE_URL: 'postgres://x', DATABASE_POOL })).toThrow(
      'DATABASE_POOL',
    )
  })
})

it('a table that is not there is named in the log, though queries sent with it say only that the transaction is aborted', async () => {
  await asOwner('alter table properties rename to gone', url())
  const error = await statusRows().catch((thrown: unknown) => thrown)
  expect(describeError(error)).toMatchObject({
    code: '42P01',
    message: 'relation "properties" does not exist',
  })
  await asOwner('alter table gone rename to properties', url())
  expect((await statusRows()).property.id).toBe(1)
})
