import { createHash } from 'node:crypto'
import { changesBetween } from '../../../vocabulary/audit.js'
import { Conflict, type Refusal } from '../../../vocabulary/conflict.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { type Change, change } from '../../db/change.js'
import type { Row } from '../../db/database.js'
import { nativeError } from '../../db/databaseErrors.js'

export type RecordFields = Record<string, unknown>

/** A kind of record the office keeps, such as towers or contacts, and its rules. */
export type RecordKind = {
  /** Its name in audit entries: `tower`. */
  entity: string
  model: typeof Row
  /** The columns people may edit. */
  fields: readonly string[]
  /** Problems of unique columns: constraint or index → field and its problem. */
  unique?: Record<string, Record<string, string[]>>
  /**
   * Throws when the record would break a rule. `before` is null for a new one; both are complete.
   */
  check?: (c: Change, after: RecordFields, before: RecordFields | null) => Promise<void>
  /**
   * Makes of the checked fields the columns to write; for records that are more than their fields.
   */
  settle?: (
    c: Change,
    after: RecordFields,
    before: (RecordFields & { id: number }) | null,
  ) => Promise<RecordFields>
  /**
   * Reads before the write what the function it returns compares with afterwards; null for a new
   * record.
   */
  watch?: (c: Change, id: number | null) => Promise<(id: number) => Promise<void>>
  /** Runs before the write; `versions`: the record before and after it, as far as there is one. */
  prepare?: (c: Change, versions: RecordFields[]) => Promise<void>
}

/** Create, update and delete of a kind that needs more than the plain functions below. */
export type RecordActs = {
  create: (actor: Actor, given: RecordFields) => Promise<number>
  update: (actor: Actor, id: number, given: RecordFields, seen?: string) => Promise<void>
  remove: (actor: Actor, id: number) => Promise<void>
}

/** The three writes of a plain record. */
export function recordActs(kind: RecordKind): RecordActs {
  return {
    create: (actor, given) => createRecord(actor, kind, given),
    update: (actor, id, given, seen) => updateRecord(actor, kind, id, given, seen),
    remove: (actor, id) => deleteRecord(actor, kind, id),
  }
}

/** Creates a record; returns its id. Throws ValidationFailed. */
export async function createRecord(actor: Actor, kind: RecordKind, given: RecordFields): Promise<number> {
  return mapUniqueViolation(kind, () => change(actor, (c) => createIn(c, kind, given)))
}

/** As `createRecord`, within a change: to be committed, or tried and rolled back. */
export async function createIn(c: Change, kind: RecordKind, given: RecordFields): Promise<number> {
  const after = picked(kind, given)
  await kind.check?.(c, after, null)
  const columns = (await kind.settle?.(c, after, null)) ?? after
  await kind.prepare?.(c, [after])
  const compare = await kind.watch?.(c, null)
  const made = await kind.model.query(c.trx).insert(columns).returning('*')
  await compare?.(made.id)
  c.audit(`${kind.entity}.created`, made.id, changesBetween(null, after))
  return made.id
}

/**
 * Changes the given fields. `seen`: the version the form was made from; throws Conflict when the
 * record has another one by now, NotFound, ValidationFailed.
 */
export async function updateRecord(
  actor: Actor,
  kind: RecordKind,
  id: number,
  given: RecordFields,
  seen?: string,
): Promise<void> {
  await mapUniqueViolation(kind, () => change(actor, (c) => updateIn(c, kind, id, given, seen)))
}

/** As `updateRecord`, within a change: to be committed, or tried and rolled back. */
export async function updateIn(
  c: Change,
  kind: RecordKind,
  id: number,
  given: RecordFields,
  seen?: string,
): Promise<void> {
  const before = picked(kind, orNotFound(await locked(c, kind, id)))
  if (seen !== undefined && seen !== versionOf(kind, before)) throw new Conflict('edited_meanwhile')
  const after = { ...before, ...picked(kind, given) }
  if (Object.keys(changesBetween(before, after)).length === 0) return c.noop()
  await kind.check?.(c, after, before)
  await kind.prepare?.(c, [before, after])
  const compare = await kind.watch?.(c, id)
  const columns = (await kind.settle?.(c, after, { ...before, id })) ?? after
  await kind.model.query(c.trx).findById(id).patch(columns)
  await compare?.(id)
  c.audit(`${kind.entity}.updated`, id, changesBetween(before, picked(kind, columns)))
}

/** Deletes a record. Throws Conflict (`in_use`) while other rows refer to it, NotFound. */
export async function deleteRecord(actor: Actor, kind: RecordKind, id: number): Promise<void> {
  await change(actor, async (c) => {
    const before = picked(kind, orNotFound(await locked(c, kind, id)))
    await kind.prepare?.(c, [before])
    const compare = await kind.watch?.(c, id)
    await kind.model.query(c.trx).deleteById(id).catch(mapForeignKeyViolation('in_use'))
    await compare?.(id)
    c.audit(`${kind.entity}.deleted`, id, changesBetween(before, null))
  })
}

/**
 * The version of a record: equal versions are equal fields. Forms send it to detect changes by
 * others.
 */
export function versionOf(kind: RecordKind, row: object): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(picked(kind, row as RecordFields)).sort()))
    .digest('base64url')
    .slice(0, 22)
}

async function locked(c: Change, { model }: RecordKind, id: number): Promise<RecordFields | undefined> {
  return (await model.query(c.trx).findById(id).forUpdate()) as RecordFields | undefined
}

/** The kind's own fields, in their declared order; undefined fields are left out. */
function picked({ fields }: RecordKind, from: RecordFields): RecordFields {
  return Object.fromEntries(
    fields.filter((field) => from[field] !== undefined).map((field) => [field, from[field]]),
  )
}

/**
 * Maps a unique violation to ValidationFailed: the index decides, also between concurrent requests.
 */
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
