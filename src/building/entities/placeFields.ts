import { instantColumn, orNull, textColumn, wholeColumn } from '../../platform/db/columnKinds.js'
import { query } from '../../platform/db/database.js'
import type { Context } from '../../platform/http/context.js'
import type { Column } from '../../platform/http/records/resource.js'
import { orderPosition } from '../../platform/http/records/sharedFields.js'
import type { Text } from '../../text/index.js'

/** The filter of records that can be archived. `false`: in use, `true`: archived, `all`: both. */
export const archivedFilters = {
  archived: `($ = 'all' or (r.archived_at is not null) = ($ = 'true'))`,
}

/** Since when a record is archived; null while it is in use. */
export const archivedAtField = {
  column: orNull(instantColumn),
  list: {
    cell: ({ archivedAt }: { archivedAt: Date | null }, { t, h }: Parameters<Column<never>['cell']>[1]) =>
      archivedAt && t.records.archivedOn(h.date(archivedAt.toISOString())),
  },
}

export const towerNameField = {
  column: textColumn,
  sql: 't.name',
  sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
  list: true,
} as const

/** The place in a display order. */
export const orderField = {
  column: wholeColumn,
  input: orderPosition,
  form: { control: 'number', maxlength: 6 },
  list: true,
} as const

/** The control that chooses a tower; the only one is chosen already. */
export const chooseTower = {
  control: 'select',
  options: async ({ state }: Context) => {
    const towers = await towerOptions()
    return towers.length === 1 ? towers : [{ value: '', label: state.text.records.choose }, ...towers]
  },
  adds: { href: '/admin/towers/new', label: (text: Text) => text.towers.create },
} as const

export const inUse = (table: string) =>
  `(select count(*) from ${table} p where p.tower_id = r.id and p.archived_at is null)`

/** The towers as options, in display order. */
export function towerOptions(): Promise<{ value: string; label: string }[]> {
  return query('select id::text as value, name as label from towers order by sort_order, id')
}
