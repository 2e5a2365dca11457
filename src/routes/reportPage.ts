import { triageIsOn } from '../actions/suggestTriage.js'
import { Asset, Unit } from '../models/building.js'
import type { Context } from '../web/context.js'

/** What the report form offers to choose from, and what an earlier try of it left. */
export async function reportPage(ctx: Context): Promise<Record<string, unknown>> {
  const [assets, units, suggests] = await Promise.all([Asset.inUse(), Unit.all(), triageIsOn()])
  return {
    assetGroups: grouped(assets),
    unitGroups: grouped(units),
    staged: ctx.state.staged ?? [],
    suggests,
  }
}

/** Options under the name of their tower, in display order. */
function grouped<T extends { towerName?: string }>(rows: T[]): { tower: string; options: T[] }[] {
  const groups: { tower: string; options: T[] }[] = []
  for (const row of rows) {
    const tower = row.towerName ?? ''
    const group = groups.at(-1)
    if (group?.tower === tower) group.options.push(row)
    else groups.push({ tower, options: [row] })
  }
  return groups
}
