import { query } from '../../platform/db/database.js'
import type { Listing } from '../../platform/db/listing.js'

/** An asset in the office's list, with its tower's name, archived or not. */
export type OfficeAsset = {
  id: number
  towerId: number
  towerName: string
  name: string
  category: string
  code: string | null
  description: string
  sortOrder: number
  contactId: number | null
  contactName: string | null
  archivedAt: Date | null
}

/** A unit in the office's list, with the number of its residents who can sign in. */
export type OfficeUnit = {
  id: number
  towerId: number
  towerName: string
  number: string
  floor: number
  people: number
  archivedAt: Date | null
}

/** SQL of the filter: `false`: in use, `true`: archived, `all`: both. */
const archived = `($ = 'all' or (r.archived_at is not null) = ($ = 'true'))`

/** SQL: a display order as text of fixed length, so that it sorts as a number. */
const padded = (column: string) => `lpad((${column} + 100000)::text, 6, '0')`

/** The list of assets; sort `order` goes by tower, as on the status page. */
export const assetListing = {
  columns: `r.id, r.tower_id as "towerId", t.name as "towerName", r.name, r.category, r.code, r.description,
    r.sort_order as "sortOrder", r.contact_id as "contactId", k.name as "contactName", r.archived_at as "archivedAt"`,
  from: 'assets r join towers t on t.id = r.tower_id left join contacts k on k.id = r.contact_id',
  search: `concat_ws(' ', r.name, r.category, r.code, t.name, r.description, k.name)`,
  sorts: {
    name: { by: 'lower(r.name)', type: 'text' },
    category: { by: 'lower(r.category)', type: 'text' },
    code: { by: `lower(coalesce(r.code, ''))`, type: 'text' },
    tower: { by: 'lower(t.name)', type: 'text' },
    order: { by: `${padded('t.sort_order')} || t.id || ' ' || ${padded('r.sort_order')}`, type: 'text' },
  },
  filters: { towerId: 'r.tower_id = $', archived },
} as const satisfies Listing

/** The list of units; numeric unit numbers sort as numbers, so 204 comes before 1204. */
export const unitListing = {
  columns: `r.id, r.tower_id as "towerId", t.name as "towerName", r.number, r.floor,
    coalesce(p.people, 0) as people, r.archived_at as "archivedAt"`,
  from: `units r join towers t on t.id = r.tower_id
    left join (select unit_id, count(*) as people from users where unit_id is not null and active group by unit_id) p
      on p.unit_id = r.id`,
  search: `concat_ws(' ', t.name, r.number)`,
  sorts: {
    number: { by: `lpad(lower(r.number), 50, '0')`, type: 'text' },
    tower: { by: 'lower(t.name)', type: 'text' },
    floor: { by: 'r.floor', type: 'integer' },
  },
  filters: { towerId: 'r.tower_id = $', archived },
} as const satisfies Listing

export async function findAsset(id: number): Promise<OfficeAsset | null> {
  return one<OfficeAsset>(assetListing, id)
}

export async function findUnit(id: number): Promise<OfficeUnit | null> {
  return one<OfficeUnit>(unitListing, id)
}

async function one<T extends { id: number }>({ columns, from }: Listing, id: number): Promise<T | null> {
  return (await query<T>(`select ${columns} from ${from} where r.id = $1`, [id]))[0] ?? null
}
