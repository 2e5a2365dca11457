import { fillImpacts } from '../../migrations/20261122100000_asset_impacts.js'
import { query } from '../../src/database.js'

/** After incidents were written by SQL: their impacts as the fields say, like those of older databases. */
export async function impactsByFields(run: (sql: string) => Promise<unknown> = query): Promise<void> {
  await run('delete from asset_impacts')
  await run(fillImpacts)
}
