import { type Changes, changesBetween } from '../../../vocabulary/audit.js'
import { Conflict, type Refusal } from '../../../vocabulary/conflict.js'
import { limits, undoMinutes } from '../../../vocabulary/limits.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { oneAtATime } from '../../db/advisoryLocks.js'
import { type Change, change } from '../../db/change.js'
import type { Row } from '../../db/row.js'
import { nativeError } from '../../process/databaseErrors.js'
import { hashOf } from '../../process/hashing.js'

export type RecordFields = Record<string, unknown>

/** A kind of record the office keeps, such as towers: its table and rules. See `Resource`. */
export type RecordKind = {
  /** Its name in audit entries: `tower`. */
  entity: string
  model: typeof Row
  /** The columns people may edit. */
  fields: readonly string[]
  /** A new record without a place in the order comes last, of those equal in `within`. */
  displayOrder?: { within?: string }
  /** Problems of unique columns: constraint or index → field and its problem. */
  unique?: Record<string, Record<string, string[]>>
  /** Throws when the record would break a rule. `before`: null for a new one; both are complete. */
  check?: (c: Change, after: RecordFields, before: RecordFields | null) => Promise<void>
  /** Makes the columns to write of the checked fields, for records that are more than these. */
  toColumns?: (
    c: Change,
    after: RecordFields,
    before: (RecordFields & { id: number }) | null,
  ) => Promise<RecordFields>
  /**
   * Reads the record before the write; null: a new one. The function it returns reads it again
   * after the write, and notifies people of what is different.
   */
  watch?: (c: Change, id: number | null) => Promise<(id: number) => Promise<void>>
  /** Runs before the write; `versions`: the record before and after it, as far as there is one. */
  prepare?: (c: Change, versions: RecordFields[]) => Promise<void>
  /** References to the record that its deletion breaks; undoing the deletion restores them. */
  references?: readonly Reference[]
}

/**
 * A column that refers to a record. `deleted`: the row is deleted with the record; otherwise the
 * column is emptied, and filled again unless the column `unless` has a value by then.
 */
type Reference = { table: string; column: string; deleted?: true; unless?: string }

/** How records of a kind are written. */
export type RecordActs = {
  create: (actor: Actor, fields: RecordFields) => Promise<number>
  update: (actor: Actor, id: number, fields: RecordFields, version?: string) => Promise<void>
  remove: (actor: Actor, id: number) => Promise<void>
  /** Undoes a deletion, as `undeleteRecord`; null for what cannot be put back. */
  undelete: ((actor: Actor, id: number) => Promise<boolean>) | null
}

/** The writes of a plain record. */
export function recordActs(kind: RecordKind): RecordActs {
  return {
    create: (actor, fields) =>
      mapUniqueViolation(kind, () => change(actor, (c) => createIn(c, kind, fields))),
    update: (actor, id, fields, version) => updateRecord(actor, kind, id, fields, version),
    remove: (actor, id) => deleteRecord(actor, kind, id),
    undelete: (actor, id) => undeleteRecord(actor, kind, id),
  }
}

/** Creates a record within a change; returns its id. Throws ValidationFailed. */
export async function createIn(c: Change, kind: RecordKind, fields: RecordFields): Promise<number> {
  const after = { ...(await lastPlace(c, kind, fields)), ...picked(kind, fields) }
  await kind.check?.(c, after, null)
  const columns = (await kind.toColumns?.(c, after, null)) ?? after
  await kind.prepare?.(c, [after])
  const notifyChange = await kind.watch?.(c, null)
  const made = await kind.model.query(c.trx).insert(columns).returning('*')
  await notifyChange?.(made.id)
  c.audit(`${kind.entity}.created`, made.id, changesBetween(null, after))
  return made.id
}

/** The place after the last one, where a record with a display order is given none. */
async function lastPlace(
  c: Change,
  { displayOrder, model }: RecordKind,
  fields: RecordFields,
): Promise<RecordFields> {
  if (!displayOrder || fields.sortOrder !== undefined) return {}
  const { within } = displayOrder
  const others = model.query(c.trx).max('sortOrder as last').first()
  if (within) others.where(within, fields[within] as number)
  const { last } = (await others) as unknown as { last: number | null }
  return { sortOrder: last === null ? 0 : Math.min(last + 1, limits.lastPosition) }
}

/**
 * Changes the given fields. `version`: the version the form was made from; throws Conflict when the
 * record has another one by now, NotFound, ValidationFailed.
 */
export async function updateRecord(
  actor: Actor,
  kind: RecordKind,
  id: number,
  fields: RecordFields,
  version?: string,
): Promise<void> {
  await mapUniqueViolation(kind, () => change(actor, (c) => updateIn(c, kind, id, fields, version)))
}

/**
 * Updates a record within a change, which may be committed, or tried and rolled back. Throws as
 * `updateRecord` does.
 */
export async function updateIn(
  c: Change,
  kind: RecordKind,
  id: number,
  fields: RecordFields,
  version?: string,
): Promise<void> {
  const before = picked(kind, orNotFound(await lockedRecord(c, kind, id)))
  requireVersion(kind, before, version)
  const after = { ...before, ...picked(kind, fields) }
  if (Object.keys(changesBetween(before, after)).length === 0) return c.noop()
  await kind.check?.(c, after, before)
  await kind.prepare?.(c, [before, after])
  const notifyChange = await kind.watch?.(c, id)
  const columns = (await kind.toColumns?.(c, after, { ...before, id })) ?? after
  await kind.model.query(c.trx).findById(id).patch(columns)
  await notifyChange?.(id)
  c.audit(`${kind.entity}.updated`, id, changesBetween(before, picked(kind, columns)))
}

/**
 * Deletes a record; its audit entry keeps what `undeleteRecord` needs. Throws Conflict (`in_use`)
 * while other rows refer to it, NotFound.
 */
async function deleteRecord(actor: Actor, kind: RecordKind, id: number): Promise<void> {
  await change(actor, async (c) => {
    const { id: _, ...row } = orNotFound(await lockedRecord(c, kind, id))
    const before = picked(kind, row)
    await kind.prepare?.(c, [before])
    const notifyChange = await kind.watch?.(c, id)
    const broken = await referencesTo(c, kind, id)
    await kind.model.query(c.trx).deleteById(id).catch(mapForeignKeyViolation('in_use'))
    await notifyChange?.(id)
    c.audit(`${kind.entity}.deleted`, id, changesBetween({ ...before, ...row, ...broken }, null))
  })
}

/**
 * Puts a record back that was deleted in the last ten minutes, with the references to it. False
 * when it is there already. Throws NotFound; Conflict when it is too late (`undo_too_late`), or
 * when it no longer fits in (`undelete_blocked`).
 */
async function undeleteRecord(actor: Actor, kind: RecordKind, id: number): Promise<boolean> {
  try {
    return await change(actor, (c) => undeleteIn(c, kind, id))
  } catch (error) {
    const { code } = nativeError(error) as { code?: string }
    const noPlace = error instanceof ValidationFailed || code === '23503' || code === '23505'
    throw noPlace ? new Conflict('undelete_blocked') : error
  }
}

async function undeleteIn(c: Change, kind: RecordKind, id: number): Promise<boolean> {
  await oneAtATime(c, `undelete ${kind.entity} ${id}`)
  if (await lockedRecord(c, kind, id)) {
    c.noop()
    return false
  }
  const { columns, references } = await deletedRow(c, kind, id)
  await kind.prepare?.(c, [picked(kind, columns)])
  const notifyChange = await kind.watch?.(c, null)
  await kind.model.query(c.trx).insert({ ...columns, id })
  const row = picked(kind, (await lockedRecord(c, kind, id))!)
  await kind.check?.(c, row, null)
  for (const [reference, rows] of references) await restoreReference(c, reference, id, rows)
  await notifyChange?.(id)
  c.audit(`${kind.entity}.undeleted`, id, changesBetween(null, row))
  return true
}

/** The columns of a record deleted a short time ago, and the rows of each reference to it. */
async function deletedRow(c: Change, { entity, references = [] }: RecordKind, id: number) {
  const [deletion] = await c.query<{ changes: Changes; isRecent: boolean }>(
    `select changes, at > $3::timestamptz - make_interval(mins => $4) as is_recent from audit_entries
     where entity = $1 and entity_id = $2 and action = $1 || '.deleted' order by id desc limit 1`,
    [entity, id, c.now, undoMinutes],
  )
  const { changes, isRecent } = orNotFound(deletion)
  if (!isRecent) throw new Conflict('undo_too_late')
  const before = Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change.before]))
  const rows = references.map(
    (reference) => [reference, before[reference.table] as Row[] | undefined] as const,
  )
  for (const { table } of references) delete before[table]
  return { columns: before, references: rows }
}

/**
 * The rows that a deletion is about to take along or to change, by table; their columns as JSON.
 */
async function referencesTo(c: Change, { references = [] }: RecordKind, id: number): Promise<RecordFields> {
  const broken: RecordFields = {}
  for (const { table, column, deleted } of references) {
    const rowJson = deleted ? 'to_jsonb(d)' : `jsonb_build_object('id', d.id)`
    const [row] = await c.query<{ rows: unknown }>(
      `select jsonb_agg(${rowJson}) as rows from ${table} d where ${column} = $1`,
      [id],
    )
    broken[table] = row!.rows
  }
  return broken
}

async function restoreReference(
  c: Change,
  { table, column, deleted, unless = column }: Reference,
  id: number,
  rows: readonly Row[] = [],
): Promise<void> {
  if (deleted)
    await c.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
      JSON.stringify(rows),
    ])
  else
    await c.query(
      `update ${table} set ${column} = $1 where id = any ($2) and ${column} is null and ${unless} is null`,
      [id, rows.map((row) => row.id)],
    )
}

/** The version of a record: equal for equal fields. Forms send it to detect others' changes. */
export function versionOf(kind: RecordKind, row: object): string {
  const fields = Object.entries(picked(kind, row as RecordFields)).sort()
  return hashOf(JSON.stringify(fields)).toString('base64url').slice(0, 22)
}

/**
 * Throws Conflict (`edited_meanwhile`) unless a form, if one was sent, was made from this version.
 */
export function requireVersion(kind: RecordKind, row: object, version: string | undefined): void {
  if (version !== undefined && version !== versionOf(kind, row)) throw new Conflict('edited_meanwhile')
}

/** The row, locked until the change ends; undefined when there is none. */
export async function lockedRecord(
  c: Change,
  { model }: RecordKind,
  id: number,
): Promise<RecordFields | undefined> {
  return (await model.query(c.trx).findById(id).forUpdate()) as RecordFields | undefined
}

/** The kind's own fields, in their declared order; undefined fields are left out. */
function picked({ fields }: RecordKind, from: RecordFields): RecordFields {
  return Object.fromEntries(
    fields.filter((field) => from[field] !== undefined).map((field) => [field, from[field]]),
  )
}

/** Maps a unique violation to ValidationFailed: the index decides between concurrent requests. */
export async function mapUniqueViolation<T>(
  { unique = {} }: Pick<RecordKind, 'unique'>,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { code, constraint } = nativeError(error) as { code?: string; constraint?: string }
    const problem = code === '23505' && constraint ? unique[constraint] : undefined
    throw problem ? new ValidationFailed(problem) : error
  }
}

/** Maps a foreign key violation of a delete to Conflict with this code. */
export function mapForeignKeyViolation(refusal: Refusal): (error: unknown) => never {
  return (error) => {
    const { code } = nativeError(error) as { code?: string }
    throw code === '23503' || code === '23001' ? new Conflict(refusal) : error
  }
}
