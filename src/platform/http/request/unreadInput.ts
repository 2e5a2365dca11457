import { ValidationFailed } from '../../../vocabulary/validation.js'
import type { Context } from '../context.js'
import { bodyOf, isForm } from './parsedBody.js'
import { type FileParts, hasStrayFiles } from './uploads.js'

/**
 * Fields that mean another operation, each with the one that takes it and the name of the field
 * there: `POST /api/incidents/:id/updates (newStatus)`.
 */
export type MovedFields = Readonly<Record<string, string>>

/** What a route leaves unread although someone may mean it. */
type Unread = {
  movedFields: MovedFields
  /** The file parts that the route takes. */
  files: FileParts
  /** The object as the caller reads it. */
  asRead: () => Promise<object>
}

type FieldErrors = Record<string, string[]>

/**
 * Throws ValidationFailed for what would be dropped although someone meant it (decision 7.6): files
 * under another name, photos that are no files, in JSON fields of another operation.
 */
export async function rejectUnreadInput(ctx: Context, { movedFields, files, asRead }: Unread): Promise<void> {
  const errors = {
    ...(isForm(ctx) ? {} : await movedFieldErrors(ctx, movedFields, asRead)),
    ...strayFileErrors(ctx, files),
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors)
}

/** What is sent back as `asRead` has it changes nothing, and is no error. */
async function movedFieldErrors(
  ctx: Context,
  movedFields: MovedFields,
  asRead: () => Promise<object>,
): Promise<FieldErrors> {
  const sent = meantFields(ctx).filter(([name]) => Object.hasOwn(movedFields, name))
  const present = new Map(sent.length > 0 ? Object.entries(await asRead()) : [])
  const changed = sent.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)))
  return Object.fromEntries(changed.map(([name]) => [name, [`sent_elsewhere ${movedFields[name]}`]]))
}

function strayFileErrors(ctx: Context, files: FileParts): FieldErrors {
  const isPhotoField = (name: string) => name === 'photos' || name === 'photos[]'
  const hasPhotosAsText = files === 'photos[]' && meantFields(ctx).some(([name]) => isPhotoField(name))
  if (!hasPhotosAsText && !hasStrayFiles(ctx)) return {}
  return { [files?.replace('[]', '') ?? '']: [`file_parts ${files}`] }
}

/** The fields of a body. A client that sends back what it read means nothing by what is empty. */
function meantFields(ctx: Context): [name: string, value: unknown][] {
  return Object.entries(bodyOf(ctx)).filter(([, value]) => {
    const isEmptyList = Array.isArray(value) && value.length === 0
    return value !== null && value !== '' && !isEmptyList
  })
}
