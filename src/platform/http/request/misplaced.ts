import { ValidationFailed } from '../../../vocabulary/validation.js'
import type { Context } from '../context.js'
import { bodyOf, isForm } from './body.js'
import type { FileParts } from './fileParts.js'

/**
 * Fields that mean another operation, each with the one that takes it and the name of the field
 * there: `POST /api/incidents/:id/updates (newStatus)`.
 */
export type Elsewhere = Readonly<Record<string, string>>

/**
 * Throws ValidationFailed for what would be dropped although somebody meant it (decision 7.6):
 * files under another name, photos that are no files, in JSON fields of another operation. What is
 * sent back as `asRead` has it changes nothing.
 */
export async function refuseMisplaced(
  ctx: Context,
  elsewhere: Elsewhere,
  files: FileParts,
  asRead: () => Promise<object>,
): Promise<void> {
  const given = Object.entries(bodyOf(ctx)).filter(([, value]) => saysSomething(value))
  const named = isForm(ctx) ? [] : given.filter(([name]) => Object.hasOwn(elsewhere, name))
  const present = new Map(named.length > 0 ? Object.entries(await asRead()) : [])
  const meant = named.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)))
  const noFiles = files === 'photos[]' && given.some(([name]) => name === 'photos' || name === 'photos[]')
  const field = files?.replace('[]', '') ?? ''
  const errors = {
    ...Object.fromEntries(meant.map(([name]) => [name, [`sent_elsewhere ${elsewhere[name]}`]])),
    ...(noFiles || ctx.state.strayFiles ? { [field]: [`file_parts ${files}`] } : {}),
  }
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors)
}

/** A client that sends back what it read means nothing by what is empty in it. */
const saysSomething = (value: unknown) =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
