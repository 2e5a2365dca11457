import { randomUUID } from 'node:crypto'
import type { Context, SendInstead } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { featureHooks } from '../featureHooks.js'
import type { Problem } from '../problem.js'
import { formWithoutPhotos, isBoundedForm } from '../request/body.js'
import { sendAnyway } from '../request/idempotency.js'
import { isForm } from '../request/parsedBody.js'
import { formToken } from '../session/csrf.js'
import { fieldsToSendAgain } from '../session/secretFields.js'

/**
 * A refused form on the page of its problem. `texts`: those in it, to be read and copied.
 * `label`: of the button that sends `fields` to `action`; null when sending them cannot help.
 */
type FormToSendAgain = {
  action: string
  fields: [name: string, value: string][]
  texts: string[]
  isMultipart: boolean
  /** It had photos, which are not sent again. */
  withoutPhotos: boolean
  label: string | null
}

/**
 * Conflicts that end when the person has read the page: the same form may be sent again and is
 * stored then.
 */
const endedByReading = new Set(['conflict', 'changed_meanwhile', 'answered_meanwhile', 'newer_word'])

/**
 * A browser's form that was refused for a reason outside of it, with what was typed; read here when
 * no one had come to that. Null for what is no form, comes from another site, or has a secret in
 * it, which no page may show.
 */
export async function formToSendAgain(
  ctx: Context,
  { status, code }: Problem,
): Promise<FormToSendAgain | null> {
  if (ctx.state.refusal.sendInstead) return otherForm(ctx, ctx.state.refusal.sendInstead)
  // The words may be those of the person who was signed in before.
  if (code === 'other_author') return null
  const isOurs = status === 503 || status === 429 || status === 409
  if (!isOurs || ctx.method !== 'POST' || !isForm(ctx)) return null
  const { body: read } = ctx.request as { body?: unknown }
  if (read === undefined && isBoundedForm(ctx))
    await Promise.resolve(formWithoutPhotos(ctx, async () => {})).catch(() => {})
  const form = enteredFields(ctx)
  const { fields, secretNames } = fieldsToSendAgain(form)
  const isSecret =
    secretNames.length > 0 ||
    fields.some(([name, value]) => value !== '' && /secret|password|token/i.test(name))
  if (fields.length === 0 || isSecret) return null
  if (code === 'sent_before') return sameFormAgain(ctx, form, fields)
  const texts = textsIn(form)
  // A rule that refused a mere button says why; there is nothing to keep.
  if (status === 409 && texts.length === 0) return null
  const mayHelp = status !== 409 || endedByReading.has(code)
  return {
    action: ctx.path,
    fields: [...tokenOf(form), ...fields],
    texts,
    isMultipart: Boolean(ctx.is('multipart')),
    withoutPhotos: ctx.state.refusal.hadPhotos === true || ctx.state.uploads.length > 0,
    label: mayHelp ? ctx.state.text.problemPage.sendAgain : null,
  }
}

/**
 * The form with a new key and its photos, to be stored a second time by a press of the button: the
 * person has been asked.
 */
function sameFormAgain(
  ctx: Context,
  form: Record<string, unknown>,
  fields: [name: string, value: string][],
): FormToSendAgain {
  const replaced = new Set(['formKey', 'stagedPhotos', 'removePhotos'])
  const staged = (ctx.state.staged ?? []).map(({ id }): [string, string] => ['stagedPhotos', id])
  return {
    action: ctx.path,
    fields: [
      ...tokenOf(form),
      ...fields.filter(([name]) => !replaced.has(name)),
      ...staged,
      ['formKey', randomUUID()],
      [sendAnyway, 'true'],
    ],
    texts: textsIn(form),
    isMultipart: false,
    withoutPhotos: false,
    label: ctx.state.text.sentBefore.send,
  }
}

function otherForm(ctx: Context, { action, fields, label }: SendInstead): FormToSendAgain {
  const values = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  return {
    action,
    fields: [['formToken', formToken(ctx)], ...values],
    texts: textsIn(fields),
    isMultipart: false,
    withoutPhotos: false,
    label,
  }
}

function tokenOf({ formToken }: Record<string, unknown>): [name: string, value: string][] {
  return typeof formToken === 'string' ? [['formToken', formToken]] : []
}

function textsIn(fields: Record<string, unknown>): string[] {
  const { texts } = featureHooks.registered().formFields
  const values = texts.map((name) => fields[name])
  return values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}
