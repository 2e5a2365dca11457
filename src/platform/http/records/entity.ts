import { z } from 'zod'
import type { Text } from '../../../text/index.js'
import type { Kind } from '../../db/columnKinds.js'
import type { CsvColumn } from '../../db/csv.js'
import { query } from '../../db/database.js'
import type { Listing } from '../../db/listing.js'
import { columnOf } from '../../db/names.js'
import type { Context } from '../context.js'
import { shape } from '../json.js'
import { type FieldSchemas, type InputPlace, samplePlace } from '../route/fields.js'
import { type RecordActs, type RecordKind, recordActs } from './records.js'
import type { Column, Field, Resource } from './resource.js'

type Options = NonNullable<Field['options']>
// biome-ignore lint/suspicious/noExplicitAny: of any value; each field's own is inferred
type AnyKind = Kind<any, z.ZodType>

/** A field of a noun, declared once: row, SELECT, input, JSON, form, list and audit follow. */
type EntityField = {
  /** What it is in a row and in JSON; without it, nothing is read from the database. */
  kind?: Pick<AnyKind, 'json' | 'present'> & Partial<Pick<AnyKind, 'csv'>>
  /** For JSON alone, made of the row. */
  computed?: { json: z.ZodType; of(row: never): unknown }
  /** SQL of its value when it is not a column of the table; the table's alias is `r`. */
  sql?: string
  /** Who reads it in JSON; without it, the office. */
  reader?: 'everyone' | 'office' | 'none'
  /** In the JSON of one record, and not in lists of them. */
  json?: 'detail'
  /** A column of the table alone, not of the view that rows are read from. */
  rowOnly?: true
  /** A column of the view that rows are read from alone, not of the table. */
  joined?: true
  /** What a request may set it to. Stored ones are compared between versions, and audited. */
  input?: z.ZodType | ((place: InputPlace) => z.ZodType)
  /** In place of `input`, where a record is made and corrected by acts of their own. */
  create?: z.ZodType
  edit?: (place: Pick<InputPlace, 'zone'>) => z.ZodType
  /** Its control in the form, as `views/records/_field.eta` draws it. */
  form?: Omit<Field, 'name' | 'options' | 'adds'> & {
    options?: (ctx: Context) => Options | Promise<Options>
    adds?: { href: string; label: (text: Text) => string }
  }
  /** An order of the list by it, by its name in addresses. */
  sort?: Listing['sorts'][string] & { name: string }
  /** It is a column of the list: the value itself, or what `cell` makes of the row. */
  list?: true | { cell(row: never, view: Parameters<Column<never>['cell']>[1]): unknown }
}

type EntityFields = { id: EntityField } & Record<string, EntityField>

type ValueOf<D> = D extends { kind: { present: (value: infer V) => unknown } } ? V : never
type JsonValueOf<D> = D extends { kind: { json: infer J } } | { computed: { json: infer J } } ? J : never
type Stored = { kind: object }
type NamesOf<F, D> = { [N in keyof F]: F[N] extends D ? N : never }[keyof F] & string
type ReadBy<F, R extends 'everyone' | 'office'> = R extends 'everyone'
  ? NamesOf<F, { reader: 'everyone' }>
  : Exclude<NamesOf<F, Stored | { computed: object }>, NamesOf<F, { reader: 'none' }>>
type JsonShape<F extends EntityFields, R extends 'everyone' | 'office'> = {
  [N in ReadBy<F, R>]: JsonValueOf<F[N]> extends z.ZodType ? JsonValueOf<F[N]> : never
}

/** A row as lists, pages and forms read it. */
type FieldRow<F extends EntityFields> = { id: number } & {
  [N in Exclude<NamesOf<F, Stored>, NamesOf<F, { rowOnly: true }>>]: ValueOf<F[N]>
}
/** The columns of the table, without its key. */
type Columns<F extends EntityFields> = {
  [N in Exclude<NamesOf<F, Stored>, 'id' | NamesOf<F, { sql: string } | { joined: true }>>]: ValueOf<F[N]>
}
/** The fields that everyone reads: of every record, or of one alone. */
type InList<F extends EntityFields> = Exclude<ReadBy<F, 'everyone'>, NamesOf<F, { json: 'detail' }>>
type InDetail<F extends EntityFields> = ReadBy<F, 'everyone'> & NamesOf<F, { json: 'detail' }>
type Part<F extends EntityFields, N extends string> = {
  /** The schemas of its fields, to be parts of a larger one. */
  json: { [K in N]: JsonValueOf<F[K]> }
  present: (row: Pick<FieldRow<F>, N & keyof FieldRow<F>>) => {
    [K in N]: JsonValueOf<F[K]> extends z.ZodType ? z.output<JsonValueOf<F[K]>> : never
  }
}
type Creates<F extends EntityFields> = NamesOf<F, { create: z.ZodType }>
type Edits<F extends EntityFields> = NamesOf<F, { edit: (place: { zone: string }) => z.ZodType }>
type JsonOf<F extends EntityFields, R extends 'everyone' | 'office'> = z.ZodObject<
  JsonShape<F, R>,
  z.core.$strict
>

type Definition<F extends EntityFields> = {
  /** Its name in audit entries: `tower`. */
  name: string
  /**
   * The names of its JSON in the API description; none where the noun makes its JSON of `list` and
   * `detail` and more.
   */
  json?: { everyone?: string; office: string }
  from: string
  /** The name that `from` gives the table or view; `r` without it. */
  alias?: string
  /** The text expression that a search of the list matches; without it, there is no such list. */
  search?: string
  filters?: Record<string, string>
  fields: F
}

type ResourceOf<F extends EntityFields> = Resource<FieldRow<F>, JsonOf<F, 'office'>>
/** What a resource of the office takes from its noun. */
type Derived = 'listing' | 'find' | 'present' | 'json' | 'schema' | 'columns' | 'fields'

type Entity<F extends EntityFields> = {
  fields: F
  records: Pick<ResourceOf<F>, Derived>
  /** For a RecordKind, which adds the table and the noun's rules. */
  kind: { entity: string; fields: readonly string[] }
  /** The columns of a CSV file, by heading. */
  csv: Record<string, CsvColumn>
  /** The names of the fields of its rows. */
  rowNames: (keyof FieldRow<F> & string)[]
  /** What everyone reads of every record, and what of one record besides. */
  list: Part<F, InList<F>>
  detail: Part<F, InDetail<F>>
  /** The rules of the fields that a request to make one may set. */
  creates: { [N in Creates<F>]: F[N] extends { create: infer S } ? S : never }
  /** The rules of the fields that a correction may set; `zone` is the property's time zone. */
  edits: (zone: string) => {
    [N in Edits<F>]: F[N] extends { edit: (...args: never) => infer S } ? S : never
  }
  /** What everyone reads. */
  publicJson: JsonOf<F, 'everyone'>
  presentPublic: (
    row: Pick<FieldRow<F>, ReadBy<F, 'everyone'> & keyof FieldRow<F>>,
  ) => z.output<JsonOf<F, 'everyone'>>
}

/** A row of a noun as the office's list and form read it. */
export type RowOf<E> = E extends Entity<infer F> ? FieldRow<F> : never
/** The columns of a noun's table. */
export type ColumnsOf<E> = E extends Entity<infer F> ? Columns<F> : never
/** The names of the fields that a correction may set. */
export type EditableOf<E> = E extends Entity<infer F> ? Edits<F> : never
/** The names of the fields that a request to make one may set. */
export type CreatableOf<E> = E extends Entity<infer F> ? Creates<F> : never

/** Makes of a noun's fields all that a resource of the office needs. */
export function entity<const F extends EntityFields>(definition: Definition<F>): Entity<F> {
  const { fields, from, alias = 'r', search = `''`, filters } = definition
  const all = Object.entries<EntityField>(fields)
  const sql = (name: string, field: EntityField) => field.sql ?? `${alias}.${columnOf(name)}`
  const stored = all.filter(([, { kind, rowOnly }]) => kind && !rowOnly)
  const columns = stored.map(([name, field]) => `${sql(name, field)} as "${name}"`).join(', ')
  const sorts = all.flatMap(([, { sort }]) => (sort ? [[sort.name, sort] as const] : []))
  const listing = { columns, from, search, sorts: Object.fromEntries(sorts), ...(filters ? { filters } : {}) }

  const inJson = all.filter(([, { kind, computed }]) => kind ?? computed)
  const readBy = (readers: string[]) => inJson.filter(([, { reader = 'office' }]) => readers.includes(reader))
  const schemasOf = (jsonFields: typeof all) =>
    Object.fromEntries(jsonFields.map(([field, { kind, computed }]) => [field, (kind ?? computed)!.json]))
  const jsonOf = (name: string | undefined, jsonFields: typeof all) =>
    name === undefined ? z.strictObject(schemasOf(jsonFields)) : shape(name, schemasOf(jsonFields))
  const presenterOf = (jsonFields: typeof all) => (row: object) =>
    Object.fromEntries(
      jsonFields.map(([name, { kind, computed }]) => [
        name,
        kind ? kind.present((row as Record<string, unknown>)[name]) : computed!.of(row as never),
      ]),
    )
  const [office, everyone] = [readBy(['everyone', 'office']), readBy(['everyone'])]
  const isDetail = ([, { json }]: [string, EntityField]) => json === 'detail'
  const partOf = (jsonFields: typeof all) => ({
    json: schemasOf(jsonFields),
    present: presenterOf(jsonFields),
  })

  return {
    fields,
    records: {
      listing,
      find: async (id: number) =>
        (await query<FieldRow<F>>(`select ${columns} from ${from} where ${alias}.id = $1`, [id]))[0] ?? null,
      json: jsonOf(definition.json?.office, office),
      present: presenterOf(office),
      schema: schemaOf(all),
      columns: all
        .filter(([, { list }]) => list)
        .map(([name, { sort, list, form }]) => ({
          name,
          isAmount: form?.kind === 'tel',
          ...(sort ? { sort: sort.name } : {}),
          cell: typeof list === 'object' ? list.cell : ownValue(name),
        })),
      fields: (ctx: Context) =>
        Promise.all(all.flatMap(([name, { form }]) => (form ? [control(ctx, name, form)] : []))),
    },
    kind: { entity: definition.name, fields: stored.filter(([, { input }]) => input).map(([name]) => name) },
    csv: Object.fromEntries(
      office.flatMap(([name, field]) =>
        field.kind?.csv && field.json !== 'detail' ? [[name, field.kind.csv(sql(name, field))] as const] : [],
      ),
    ),
    rowNames: stored.map(([name]) => name),
    list: partOf(everyone.filter((field) => !isDetail(field))),
    detail: partOf(everyone.filter(isDetail)),
    creates: Object.fromEntries(
      all.flatMap(([name, { create }]) => (create ? [[name, create] as const] : [])),
    ),
    edits: (zone: string) =>
      Object.fromEntries(all.flatMap(([name, { edit }]) => (edit ? [[name, edit({ zone })] as const] : []))),
    publicJson: jsonOf(definition.json?.everyone, everyone),
    presentPublic: presenterOf(everyone),
  } as unknown as Entity<F>
}

/** The office's pages and JSON of a noun. `more`: what its fields do not say, and what differs. */
export function resourceOf<F extends EntityFields>(
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

async function control(ctx: Context, name: string, form: NonNullable<EntityField['form']>): Promise<Field> {
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
function schemaOf(fields: [string, EntityField][]): FieldSchemas {
  const inputs = fields.flatMap(([name, { input }]) => (input ? [[name, input] as const] : []))
  const at = (place: InputPlace) =>
    z.object(
      Object.fromEntries(
        inputs.map(([name, input]) => [name, typeof input === 'function' ? input(place) : input]),
      ),
    )
  const needsPlace = inputs.some(([, input]) => typeof input === 'function')
  return needsPlace ? at : at(samplePlace)
}
