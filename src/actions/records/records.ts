import { createHash } from 'node:crypto'
import { type Change, change } from '../../change.js'
import type { Row } from '../../database.js'
import { nativeError } from '../../databaseErrors.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { Conflict, type Refusal } from '../../domain/system/conflict.js'
import { orNotFound, ValidationFailed } from '../../domain/system/validation.js'

export type Fields = Record<string, unknown>

/** What the office keeps a record of, such as a tower or a contact, and the rules its records keep. */
export type RecordKind = {
  /** As audit entries name it: `tower`. */
  entity: string
  model: typeof Row
  /** The columns people fill in. */
  fields: readonly string[]
  /** Problems of unique columns: constraint or index → field and its problem. */
  unique?: Record<string, Record<string, string[]>>
  /** Throws where the record would break a rule. `before` is null for a new one; either is complete. */
  check?: (c: Change, after: Fields, before: Fields | null) => Promise<void>
  /** The asset whose live status the record may change. */
  asset?: (fields: Fields) => number | null
}

/** The three writes, for what is more than a record: see `createRecord`, `updateRecord` and `deleteRecord`. */
export type RecordActs = {
  create: (actor: Actor, given: Fields) => Promise<number>
  update: (actor: Actor, id: number, given: Fields, seen?: string) => Promise<void>
  remove: (actor: Actor, id: number) => Promise<void>
}

/** The writes of a plain record. */
export function recordActs(kind: RecordKind): RecordActs {
  return {
    create: (actor, given) => createRecord(actor, kind, given),
    update: (actor, id, given, seen) => updateRecord(actor, kind, id, given, seen),
    remove: (actor, id) => deleteRecord(actor, kind, id),
  }
}

/** Adds a record; returns its id. Throws Invalid. */
export async function createRecord(actor: Actor, kind: RecordKind, given: Fields): Promise<number> {
  return mapUniqueViolation(kind, () =>
    change(actor, async (c) => {
      const after = picked(kind, given)
      await kind.check?.(c, after, null)
      const made = await kind.model.query(c.trx).insert(after).returning('*')
      c.audit(`${kind.entity}.created`, made.id, changesBetween(null, after))
      recheck(c, kind, after)
      return made.id
    }),
  )
}

/**
 * Changes the fields that are given. `seen`: the version a form was made from; another one by now is Refused, so that
 * nobody overwrites what they have not read. Throws NotFound, Invalid.
 */
export async function updateRecord(
  actor: Actor,
  kind: RecordKind,
  id: number,
  given: Fields,
  seen?: string,
): Promise<void> {
  await mapUniqueViolation(kind, () =>
    change(actor, async (c) => {
      const before = picked(kind, orNotFound(await locked(c, kind, id)))
      if (seen !== undefined && seen !== versionOf(kind, before)) throw new Conflict('edited_meanwhile')
      const after = { ...before, ...picked(kind, given) }
      const changes = changesBetween(before, after)
      if (Object.keys(changes).length === 0) return c.noop()
      await kind.check?.(c, after, before)
      await kind.model.query(c.trx).findById(id).patch(after)
      c.audit(`${kind.entity}.updated`, id, changes)
      recheck(c, kind, before)
      recheck(c, kind, after)
    }),
  )
}

/** Deletes a record; Refused (`in_use`) while others need it. Throws NotFound. */
export async function deleteRecord(actor: Actor, kind: RecordKind, id: number): Promise<void> {
  await change(actor, async (c) => {
    const before = picked(kind, orNotFound(await locked(c, kind, id)))
    await kind.model.query(c.trx).deleteById(id).catch(mapForeignKeyViolation('in_use'))
    c.audit(`${kind.entity}.deleted`, id, changesBetween(before, null))
    recheck(c, kind, before)
  })
}

/** Names the state of a record: equal versions are equal fields. Forms carry it to notice what changed meanwhile. */
export function versionOf(kind: RecordKind, row: object): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(picked(kind, row as Fields)).sort()))
    .digest('base64url')
    .slice(0, 22)
}

async function locked(c: Change, { model }: RecordKind, id: number): Promise<Fields | undefined> {
  return (await model.query(c.trx).findById(id).forUpdate()) as Fields | undefined
}

/** Only its own fields, in their own order; what is undefined was not given. */
function picked({ fields }: RecordKind, from: Fields): Fields {
  return Object.fromEntries(
    fields.filter((field) => from[field] !== undefined).map((field) => [field, from[field]]),
  )
}

function recheck(c: Change, kind: RecordKind, fields: Fields): void {
  c.recheckStatus(kind.asset?.(fields) ?? null)
}

/** The index has the last word on what is taken, however many ask at once. */
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

/** For a deletion that the database refused because others point there: throws Refused with this code. */
export function mapForeignKeyViolation(refusal: Refusal): (error: unknown) => never {
  return (error) => {
    const { code } = nativeError(error) as { code?: string }
    throw code === '23503' || code === '23001' ? new Conflict(refusal) : error
  }
}
