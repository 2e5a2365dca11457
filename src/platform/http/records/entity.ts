import { z } from 'zod'
import { query } from '../../db/database.js'
import { columnOf } from '../../db/fieldNames.js'
import type { Context } from '../context.js'
import { shape } from '../json.js'
import { type FieldSchemas, type InputPlace, samplePlace } from '../route/fields.js'
import type {
  Derived,
  Entity,
  EntityDefinition,
  EntityField,
  EntityFields,
  FieldRow,
  ResourceOf,
} from './entityTypes.js'
import { type RecordActs, type RecordKind, recordActs } from './recordActs.js'
import type { Field } from './resource.js'

/*
 * Four words for what the office keeps. A *record* is one row, such as a tower. An *entity*
 * declares the fields of a kind of record, once for row, JSON, form, list and CSV. A *RecordKind*
 * is its table and the rules of its writes. A *Resource* is the office's pages and JSON of it.
 */

/** Makes of the fields of a kind of record all that a resource of the office needs. */
export function entity<const F extends EntityFields>(definition: EntityDefinition<F>): Entity<F> {
  const { fields, from, alias = 'r', search = `''`, filters } = definition
  const all = Object.entries<EntityField>(fields)
  const sql = (name: string, field: EntityField) => field.sql ?? `${alias}.${columnOf(name)}`
  const stored = all.filter(([, { column, rowOnly }]) => column && !rowOnly)
  const columns = stored.map(([name, field]) => `${sql(name, field)} as "${name}"`).join(', ')
  const sorts = all.map(([, { sort }]) => sort).filter((sort) => sort !== undefined)
  const sortsByName = Object.fromEntries(sorts.map((sort) => [sort.name, sort]))
  const listing = { columns, from, search, sorts: sortsByName, ...(filters ? { filters } : {}) }

  const inJson = all.filter(([, { column, computed }]) => column ?? computed)
  const readBy = (readers: string[]) => inJson.filter(([, { reader = 'office' }]) => readers.includes(reader))
  const office = readBy(['everyone', 'office'])
  const everyone = readBy(['everyone'])
  const isDetail = ([, { json }]: NamedField) => json === 'detail'
  const edits = valuesOf(all, (field) => field.edit)

  return {
    fields,
    records: {
      listing,
      find: async (id: number) =>
        (await query<FieldRow<F>>(`select ${columns} from ${from} where ${alias}.id = $1`, [id]))[0] ?? null,
      json: jsonOf(definition.json?.office, office),
      present: presenterOf(office),
      schema: schemaOf(all),
      columns: all.filter(([, { list }]) => list).map(listColumn),
      fields: (ctx: Context) =>
        Promise.all(valuesOf(all, (field) => field.form).map(([name, form]) => formControl(ctx, name, form))),
    },
    kind: { entity: definition.name, fields: stored.filter(([, { input }]) => input).map(([name]) => name) },
    csv: Object.fromEntries(
      valuesOf(office, (field, name) =>
        field.json === 'detail' ? undefined : field.column?.csv?.(sql(name, field)),
      ),
    ),
    rowNames: stored.map(([name]) => name),
    list: partOf(everyone.filter((field) => !isDetail(field))),
    detail: partOf(everyone.filter(isDetail)),
    creates: Object.fromEntries(valuesOf(all, (field) => field.create)),
    edits: (zone: string) => Object.fromEntries(edits.map(([name, edit]) => [name, edit({ zone })])),
    publicJson: jsonOf(definition.json?.everyone, everyone),
    presentPublic: presenterOf(everyone),
  } as unknown as Entity<F>
}

type NamedField = [name: string, field: EntityField]

/** What `read` finds in the fields, by name, without those where it finds nothing. */
function valuesOf<V>(
  fields: readonly NamedField[],
  read: (field: EntityField, name: string) => V | undefined,
): [name: string, value: V][] {
  return fields.flatMap(([name, field]): [string, V][] => {
    const value = read(field, name)
    return value === undefined ? [] : [[name, value]]
  })
}

function schemasOf(fields: readonly NamedField[]) {
  return Object.fromEntries(fields.map(([name, { column, computed }]) => [name, (column ?? computed)!.json]))
}

/** The schema of the JSON of these fields; `name`: its name in the API description. */
function jsonOf(name: string | undefined, fields: readonly NamedField[]) {
  return name === undefined ? z.strictObject(schemasOf(fields)) : shape(name, schemasOf(fields))
}

/** Makes the JSON of these fields of a row. */
function presenterOf(fields: readonly NamedField[]) {
  return (row: object) =>
    Object.fromEntries(
      fields.map(([name, { column, computed }]) => [
        name,
        column ? column.present((row as Record<string, unknown>)[name]) : computed!.of(row as never),
      ]),
    )
}

function partOf(fields: readonly NamedField[]) {
  return { json: schemasOf(fields), present: presenterOf(fields) }
}

/** A field as a column of the office's list. */
function listColumn([name, { sort, list, form }]: NamedField) {
  return {
    name,
    isAmount: form?.control === 'tel',
    ...(sort ? { sort: sort.name } : {}),
    cell: typeof list === 'object' ? list.cell : ownValue(name),
  }
}

/** The office's pages and JSON of a noun. `more`: what its fields do not say, and what differs. */
export function resourceFrom<F extends EntityFields>(
  { records, kind }: Entity<F>,
  more: Omit<ResourceOf<F>, Derived | 'kind' | 'acts'> &
    Partial<Pick<ResourceOf<F>, Derived>> & {
      kind: Omit<RecordKind, 'entity' | 'fields'>
      acts?: Partial<RecordActs>
    },
): ResourceOf<F> {
  const whole = { ...kind, ...more.kind }
  return { ...records, ...more, kind: whole, acts: { ...recordActs(whole), ...more.acts } }
}

async function formControl(
  ctx: Context,
  name: string,
  form: NonNullable<EntityField['form']>,
): Promise<Field> {
  const { options, adds, ...drawn } = form
  return {
    name,
    ...drawn,
    ...(options ? { options: await options(ctx) } : {}),
    ...(adds ? { adds: { href: adds.href, label: adds.label(ctx.state.text) } } : {}),
  }
}

const ownValue = (name: string) => (row: object) => (row as Record<string, unknown>)[name]

/** The schema of a request; a function where a field's rule depends on the building. */
function schemaOf(fields: readonly NamedField[]): FieldSchemas {
  const inputs = valuesOf(fields, (field) => field.input)
  const at = (place: InputPlace) =>
    z.object(
      Object.fromEntries(
        inputs.map(([name, input]) => [name, typeof input === 'function' ? input(place) : input]),
      ),
    )
  const needsPlace = inputs.some(([, input]) => typeof input === 'function')
  return needsPlace ? at : at(samplePlace)
}
