import type { z } from 'zod'
import type { Text } from '../../../text/index.js'
import type { ApiGroup } from '../../../vocabulary/apiGroups.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import type { Permission } from '../../../vocabulary/people/permissions.js'
import type { Listing } from '../../db/listing.js'
import type { Context } from '../context.js'
import type { Format } from '../format/format.js'
import type { MovedFields } from '../request/unreadInput.js'
import type { FieldSchemas } from '../route/fields.js'
import type { RecordActs, RecordKind } from './recordActs.js'

/** The texts of a resource's pages, like `units` in `text/en/building.ts`. */
type ResourceWords = {
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

/** A column of the list page; with `sort`, its heading sorts by it. */
export type Column<R> = {
  name: string
  sort?: string
  cell: (row: R, view: { t: Text; h: Format }) => unknown
  /** Its cells are numbers that people read digit by digit, such as phone numbers. */
  isAmount?: boolean
}

/** A field of the form, as `views/records/_field.eta` draws it. */
export type Field = {
  name: string
  control:
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
    /** Typed, and never shown again. */
    | 'secret'
  maxlength?: number
  options?: { value: string; label: string }[]
  /** Of a select: where the first of its options is added, while there is none to choose. */
  adds?: { href: string; label: string }
  /** Suggestions while typing; other values are accepted, too. */
  suggestions?: readonly string[]
  /** For filters: the options are complete, so no empty "all" option is added. */
  whole?: boolean
  /** Of a select: shown and not for this person to change. */
  isLocked?: boolean
}

/**
 * What is deleted with a record, or what prevents it (`blocks`): a catalogue sentence with a
 * number. One that `warns` says by itself what a deletion changes.
 */
type Dependents = { count: number; text: string; blocks: boolean; warns?: true }[]

/** A record as it is typed, new or with the id of a stored one, and who asks. */
type PreviewInput = { fields: Record<string, unknown>; id: number | null; zone: string; actor: Actor }

/** Stores nothing. A form that changes what assets show is asked again. Throws ValidationFailed. */
export type Preview = {
  json: z.ZodType
  /** The template that shows it in the form: `views/<view>.eta`. */
  view: string
  of: (input: PreviewInput) => Promise<{ consequences: readonly object[] } & Record<string, unknown>>
}

/**
 * What the office sees of one kind of record (`RecordKind`, such as towers): list, form and
 * confirmation page, and the same as JSON, from one description. A page's form sends every field,
 * JSON any subset.
 */
export type Resource<R extends { id: number }, J extends z.ZodObject = z.ZodObject> = {
  /** In both addresses: /admin/<path> and /api/admin/<path>. */
  path: string
  /** Its group in the API description. */
  group: ApiGroup
  permission: Permission
  kind: RecordKind
  acts: RecordActs
  listing: Listing
  /** The page's order when the address names none; JSON is newest first (decision 6.1). */
  order?: string
  /** Pages that the head of the list leads those to who have the permission. */
  links?: readonly { href: string; permission: Permission; label: (text: Text) => string }[]
  /** The address whose `/:id/move` moves a record up or down, for a list with a display order. */
  moves?: string
  /** Filters of the list; on the page they are fields. */
  filters?: { schema: Record<string, z.ZodType>; fields: (ctx: Context) => Promise<Field[]> }
  find: (id: number) => Promise<R | null>
  present: (row: R) => z.output<J>
  /** The schema of what `present` returns. */
  json: J
  /** Key of the notice after one was added; without it, `added`. */
  addedNotice?: (fields: Record<string, unknown>) => string
  /** The record's name on its own pages. */
  nameOf: (row: R) => string
  schema: FieldSchemas
  /** Fields that are changed by another operation. */
  movedFields?: MovedFields
  words: (text: Text) => ResourceWords
  columns: Column<R>[]
  fields: (ctx: Context) => Promise<Field[]>
  /** Form values that differ from the columns. */
  values?: (row: R, view: { t: Text; h: Format }) => Record<string, unknown>
  /** Initial values of a new record. */
  defaults?: Record<string, unknown>
  /** Fields our own links may fill in; no others, as staff may be tricked into opening a link. */
  fromAddress?: readonly string[]
  /** Dependent records, for the confirmation page. */
  dependents?: (row: R, text: Text) => Promise<Dependents>
  /** Records can be archived: rows need `archivedAt`, words need `archive`. */
  archives?: boolean
  /** What the form shows before saving, and the same as JSON. */
  preview?: Preview
  /** A part of the list page: data for `views/<view>.eta`, above the search. */
  above?: { view: string; load: () => Promise<Record<string, unknown>> }
  /** Further parts of the edit page: data for `views/<view>.eta`, below the form. */
  below?: { view: string; load: (row: R, ctx: Context) => Promise<Record<string, unknown>> }
}
