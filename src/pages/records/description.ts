import type { z } from 'zod'
import type { RecordActs, RecordKind } from '../../actions/records/records.js'
import type { Permission } from '../../domain/accounts/permissions.js'
import type { Listing } from '../../models/system/listing.js'
import type { Text } from '../../text/index.js'
import type { Format } from '../../web/answer/format.js'
import type { Context } from '../../web/context.js'
import type { Fields } from '../../web/route/fields.js'

/** The words of a resource's pages: `text/en/office.ts`. */
export type ResourceWords = {
  title: string
  intro: string
  none: string
  create: string
  edit: (name: string) => string
  remove?: string
  blocked?: string
  archive?: Record<'title' | 'hint' | 'send' | 'archivedTitle' | 'archivedHint' | 'unarchive', string>
  fields: Record<string, string>
  hints: Record<string, string>
}

/** A column of the list page; with `sort`, its heading orders by it. */
export type Column<R> = {
  name: string
  sort?: string
  cell: (row: R, view: { t: Text; h: Format }) => unknown
}

/** A field of the form, as `views/records/_field.eta` draws it. */
export type Field = {
  name: string
  kind:
    | 'line'
    | 'text'
    | 'number'
    | 'email'
    | 'tel'
    | 'url'
    | 'date'
    | 'datetime'
    | 'select'
    | 'flag'
    | 'checks'
    /** Typed and never shown again. */
    | 'secret'
  maxlength?: number
  options?: { value: string; label: string }[]
  /** Values a line suggests while one types; anything else can be typed as well. */
  suggestions?: readonly string[]
  /** Of a filter whose options say everything there is to choose, also no narrowing at all. */
  whole?: boolean
}

/** What a record takes with it, or what keeps it: a sentence of the catalogue with a number. */
export type Dependents = { count: number; text: string; blocks: boolean }[]

/**
 * A resource of the office: list, form and confirmation page, and the same as JSON, from one description. The list
 * answers both addresses alike; a page's form sends every field, JSON any subset.
 */
export type Resource<R extends { id: number }, J extends z.ZodObject = z.ZodObject> = {
  /** In both addresses: /admin/<path> and /api/admin/<path>. */
  path: string
  permission: Permission
  kind: RecordKind
  /** What writing one does, where that is more than writing a record. */
  acts?: RecordActs
  listing: Listing
  /** The order of the page where the address names none; JSON is newest first (decision 6.1). */
  order?: string
  /** The address whose `/:id/move` moves a record up and down, when the page can be in display order. */
  moves?: string
  /** Filters of the list, as select fields of the page. */
  filters?: { schema: Record<string, z.ZodType>; fields: (ctx: Context) => Promise<Field[]> }
  find: (id: number) => Promise<R | null>
  present: (row: R) => z.output<J>
  /** The shape of what `present` makes. */
  json: J
  /** How a record is called on its own pages. */
  nameOf: (row: R) => string
  schema: Fields
  words: (text: Text) => ResourceWords
  columns: Column<R>[]
  fields: (ctx: Context) => Promise<Field[]>
  /** Values of the form, where they differ from the columns. */
  values?: (row: R, view: { t: Text; h: Format }) => Record<string, unknown>
  /** What a new record begins with. */
  defaults?: Record<string, unknown>
  /** Fields that links of ours fill in; nobody else's link fills in a form that somebody of the office then sends. */
  fromAddress?: readonly string[]
  /** What hangs on a record, for its confirmation page. */
  dependents?: (row: R, text: Text) => Promise<Dependents>
  /** Its records can be archived (`routes/records/archive.ts`); their row has `archivedAt`, their words `archive`. */
  archives?: boolean
  /** What the form can show before anything is saved, for `views/records/_preview.eta`. Throws Invalid as a write does. */
  preview?: (given: Record<string, unknown>, zone: string) => Promise<unknown>
  /** Further things on the edit page, such as links: data for `views/records/<view>.eta` drawn below the form. */
  below?: { view: string; load: (row: R, ctx: Context) => Promise<Record<string, unknown>> }
}
