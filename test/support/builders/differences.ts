import { query } from '../../../src/platform/db/database.js'
import { asOwner } from '../database.js'

/**
 * Tables of sign-ins, of what is still to be sent and of what ran or was asked before:
 * no state of the building.
 */
const leftOut = [
  'events',
  'idempotency_keys',
  'inbound_emails',
  'job_runs',
  'known_devices',
  'email_events',
  'outbox',
  'sessions',
  'throttles',
  'webhook_deliveries',
]

const waiting = ['events', 'email_events', 'outbox']

/**
 * Columns of the log that differ from one write to the next, and until when an
 * asset's status was announced.
 */
const unimportant = ['request_id', 'transaction_id', 'announced_at']

const apart = 1_000_000

/**
 * Gives every table ids of its own, so that a number says which row it means. To be
 * called once per database.
 */
export async function separateIds(url: string): Promise<void> {
  const columns = await query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' order by 1`,
  )
  for (const [i, { table, column }] of columns.entries())
    await asOwner(`alter table ${table} alter ${column} restart with ${(i + 1) * apart}`, url)
}

/**
 * What an act changes in all tables: rows that are new and rows that are gone. Times are replaced
 * by their order, new ids by their place in their table, photos and `name` by a placeholder, so
 * that two acts with the same result give the same lines.
 */
export async function differenceMadeBy(
  act: () => Promise<unknown>,
  {
    withTimes = true,
    withWaiting = false,
    name,
  }: { withTimes?: boolean | undefined; withWaiting?: boolean | undefined; name?: string } = {},
): Promise<string[]> {
  const tables = leftOut.filter((table) => !(withWaiting && waiting.includes(table)))
  const before = await allRows(tables)
  await act()
  const after = await allRows(tables)
  // The entry of a sweep is about its run, not about an incident.
  const made = [...after]
    .filter((row) => !before.has(row) && !row.includes('"entity": "sweep"'))
    .map((row) => `new  ${row}`)
  const gone = [...before].filter((row) => !after.has(row)).map((row) => `gone ${row}`)
  const ranked = withTimes ? orderOfTimes([...made, ...gone]) : () => 'time'
  const lines = [...made, ...gone]
    .map((line) => line.replace(photoFile, '«photo»'))
    .map((line) => line.replace(time, (found) => `«${ranked(found)}»`))
  const firstIds = firstOfEachTable(lines)
  return lines
    .map((line) => line.replace(id, (found) => placeOf(found, firstIds)))
    .map((line) => (name ? line.replaceAll(name, '«name»') : line))
    .sort()
}

const time = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"|\b1\d{12}\b/g
const photoFile = /[\da-f]{2}\/[\da-f]{2}\/[\da-f]{32}\.jpg/g
const id = /(?<![\d.])[1-9]\d{6,7}(?![\d.])/g

async function allRows(without: readonly string[]): Promise<Set<string>> {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any ($1)
       and has_table_privilege(oid, 'select')`,
    [without],
  )
  const rowsOf = ({ name }: { name: string }) =>
    `select '${name} ' || (to_jsonb(t) - $1::text[] ${name === 'audit_entries' ? "- 'id'" : ''})::text as row
     from ${name} t`
  const rows = await query<{ row: string }>(tables.map(rowsOf).join(' union all '), [unimportant])
  return new Set(rows.map(({ row }) => row))
}

function orderOfTimes(lines: string[]): (found: string) => number {
  const moments = lines.flatMap((line) => line.match(time) ?? []).map(momentOf)
  const inOrder = [...new Set(moments)].sort((a, b) => a - b)
  return (found) => inOrder.indexOf(momentOf(found))
}

const momentOf = (found: string) => (found.startsWith('"') ? Date.parse(found.slice(1, -1)) : Number(found))

function firstOfEachTable(lines: string[]): Map<number, number> {
  const first = new Map<number, number>()
  for (const found of lines.flatMap((line) => line.match(id) ?? []).map(Number)) {
    const table = Math.floor(found / apart)
    first.set(table, Math.min(found, first.get(table) ?? Infinity))
  }
  return first
}

function placeOf(found: string, first: Map<number, number>): string {
  const table = Math.floor(Number(found) / apart)
  return `#${table}.${Number(found) - first.get(table)!}`
}
