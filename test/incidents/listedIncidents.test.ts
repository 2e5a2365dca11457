import { describe, expect, it } from 'vitest'
import { incidentEntity } from '../../src/incidents/model/entity.js'
import { columnOf } from '../../src/platform/db/fieldNames.js'
import { isStaff, roles } from '../../src/vocabulary/people/permissions.js'
import { byEmailName, officeName } from '../../src/vocabulary/people/personName.js'
import { severities } from '../../src/vocabulary/severity.js'
import { useDatabase } from '../support/database.js'
import { column, scalar } from '../support/rows.js'

useDatabase()

const definition = (view: string) => scalar<string>('select pg_get_viewdef($1::regclass) as text', [view])

describe('the views of the database say what the code says', () => {
  it('of the fields of a listed incident', async () => {
    const columns = await column<string>(
      `select attname::text from pg_attribute where attrelid = 'listed_incidents'::regclass and attnum > 0`,
    )
    expect(columns.sort()).toEqual(incidentEntity.rowNames.map(columnOf).sort())
  })

  it('of who is staff', async () => {
    for (const role of roles)
      expect(await scalar<boolean>('select is_staff($1) as staff', [role]), role).toBe(isStaff(role))
  })

  it('of the names of the office and of strangers', async () => {
    expect(await definition('listed_incidents')).toContain(`'${byEmailName}'`)
    expect(await definition('timeline_entries')).toContain(`'${byEmailName}'`)
    expect(await definition('timeline_entries')).toContain(`'${officeName}'`)
  })

  it('of the target of each severity, the mildest first', async () => {
    const hours = severities.map((_, i) => i + 1)
    for (const [i, severity] of severities.entries()) {
      const late = (after: number) =>
        scalar<boolean>(
          `select is_past_target(now() - make_interval(secs => 3600 * $1::float8), $2, $3, now()) as late`,
          [after, severity, hours],
        )
      expect([await late(i + 0.9), await late(i + 1.1)], severity).toEqual([false, true])
    }
  })
})
