import type { z } from 'zod'
import type { Text } from '../../../text/index.js'
import type { ColumnKind } from '../../db/columnKinds.js'
import type { CsvColumn } from '../../db/csvColumns.js'
import type { Listing } from '../../db/listing.js'
import type { Context } from '../context.js'
import type { InputPlace } from '../route/fields.js'
import type { Column, Field, Resource } from './resource.js'

type Options = NonNullable<Field['options']>
// biome-ignore lint/suspicious/noExplicitAny: of any value; each field's own is inferred
type AnyColumn = ColumnKind<any, z.ZodType>

/** A field of a noun, declared once: row, SELECT, input, JSON, form, list and audit follow. */
export type EntityField = {
  /** What it is in a row and in JSON; without it, nothing is read from the database. */
  column?: Pick<AnyColumn, 'json' | 'present'> & Partial<Pick<AnyColumn, 'csv'>>
  /** For JSON alone, made of the row. */
  computed?: { json: z.ZodType; of(row: never): unknown }
  /** SQL of its value where the table has no column for it; the table's alias is `r`. */
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

export type EntityFields = { id: EntityField } & Record<string, EntityField>

type ValueOf<D> = D extends { column: { present: (value: infer V) => unknown } } ? V : never
type JsonValueOf<D> = D extends { column: { json: infer J } } | { computed: { json: infer J } } ? J : never
type Stored = { column: object }
type NamesOf<F, D> = { [N in keyof F]: F[N] extends D ? N : never }[keyof F] & string
type ReadBy<F, R extends 'everyone' | 'office'> = R extends 'everyone'
  ? NamesOf<F, { reader: 'everyone' }>
  : Exclude<NamesOf<F, Stored | { computed: object }>, NamesOf<F, { reader: 'none' }>>
type JsonShape<F extends EntityFields, R extends 'everyone' | 'office'> = {
  [N in ReadBy<F, R>]: JsonValueOf<F[N]> extends z.ZodType ? JsonValueOf<F[N]> : never
}

/** A row as lists, pages and forms read it. */
export type FieldRow<F extends EntityFields> = { id: number } & {
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

export type EntityDefinition<F extends EntityFields> = {
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

export type ResourceOf<F extends EntityFields> = Resource<FieldRow<F>, JsonOf<F, 'office'>>
/** What a resource of the office takes from its noun. */
export type Derived = 'listing' | 'find' | 'present' | 'json' | 'schema' | 'columns' | 'fields'

export type Entity<F extends EntityFields> = {
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
