import type { Query } from '../../platform/db/database.js'

/** Existing rows, which an import compares its rows with. */
export type TowerThere = { id: number; name: string }
export type UnitThere = {
  id: number
  towerId: number
  towerName: string
  number: string
  floor: number
  archivedAt: Date | null
}
export type ContactThere = {
  id: number
  name: string
  label: string
  phone: string
  email: string
  notes: string
}
export type AccountThere = {
  id: number
  name: string
  email: string
  role: string
  active: boolean
  unitId: number | null
  isMobileReporter: boolean
}

export async function towersThere(run: Query): Promise<TowerThere[]> {
  return run('select id, name from towers order by id')
}

/** All units, archived ones included. */
export async function unitsThere(run: Query): Promise<UnitThere[]> {
  return run(
    `select u.id, u.tower_id as "towerId", t.name as "towerName", u.number, u.floor, u.archived_at as "archivedAt"
     from units u join towers t on t.id = u.tower_id order by u.id`,
  )
}

/** All contacts. */
export async function contactsThere(run: Query): Promise<ContactThere[]> {
  return run('select id, name, label, phone, email, notes from contacts order by sort_order, id')
}

/** These addresses as the database folds them, by which accounts are matched. */
export async function foldedAddresses(run: Query, emails: string[]): Promise<Map<string, string>> {
  const rows = await run<{ email: string; folded: string }>(
    'select email, lower(email) as folded from unnest($1::text[]) as given (email)',
    [emails],
  )
  return new Map(rows.map(({ email, folded }) => [email, folded]))
}

/** The accounts with these folded addresses, by folded address. */
export async function accountsThere(
  run: Query,
  folded: Iterable<string>,
): Promise<Map<string, AccountThere>> {
  const rows = await run<AccountThere & { folded: string }>(
    `select id, name, email, role, active, unit_id as "unitId", is_mobile_reporter as "isMobileReporter",
       lower(email) as folded
     from users where lower(email) = any($1)`,
    [[...folded]],
  )
  return new Map(rows.map(({ folded: address, ...account }) => [address, account]))
}
