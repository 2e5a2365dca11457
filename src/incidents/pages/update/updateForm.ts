import { z } from 'zod'
import { query } from '../../../platform/db/database.js'
import type { Context } from '../../../platform/http/context.js'
import { type Format, formatFor } from '../../../platform/http/format/format.js'
import { representationOf } from '../../../platform/http/representation.js'
import { officeVersion } from '../../../status/queries/latestStatement.js'
import { type Locale, locales, type Text, texts } from '../../../text/index.js'
import { day, emptied, id } from '../../../vocabulary/inputRules.js'
import type { Status } from '../../../vocabulary/lifecycle.js'
import { parseId } from '../../../vocabulary/limits.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import type { AssigneeChange } from '../../acts/allowedPatch.js'
import { Incident } from '../../model/incident.js'
import { ReplyTemplate } from '../../model/templates.js'

/**
 * The reason for the present status. When no listed reason fits, a form sends `other` and the
 * office's own words.
 */
export function reasonFrom<T>(statusReason: T, otherReason: string | undefined): T | string {
  if (statusReason !== 'other') return statusReason
  if (!otherReason) throw new ValidationFailed({ otherReason: ['statusReason_required'] })
  return otherReason
}

/** The fields of the answer form that show what stands; those of one line are changed as one. */
const together = [['expectedBackAt'], ['statusReason', 'otherReason'], ['assignee'], ['dueOn']] as const
type Name = (typeof together)[number][number]
/** What they showed or show, as text. */
type Shown = Record<Name, string>

/** A field that both have changed, as its label and both values in words. */
type Both = { label: string; theirs: string; ours: string }

type Typed = Partial<Record<Name | 'shown', unknown>>
type Worded = { t: Text; h: Format; assignees: readonly [value: string, label: string][] }

/**
 * The form after the office has answered meanwhile: what the person did not touch since it was
 * `shown` takes the value of now, so that sending it again takes back nothing of the other's; what
 * both have changed is named with both values.
 */
function answerAgain(now: Shown, typed: Typed, words: Worded): { values: Shown; both: Both[] } {
  const before = shownBefore(typed.shown)
  const mine = textsOf(typed)
  const touched = touchedGroups(now, typed)
  const values = { ...now }
  for (const name of touched.flat()) values[name] = mine[name] ?? ''
  const contested = touched.filter((names) => names.some((name) => before[name] !== now[name]))
  const both = contested.map(([name]) => ({
    label: words.t.answers[name],
    theirs: inWords(name, now, words),
    ours: inWords(name, values, words),
  }))
  return { values, both }
}

/** The groups of fields that the person changed since the form was shown, to other values than now. */
function touchedGroups(now: Shown, typed: Typed) {
  const before = shownBefore(typed.shown)
  const mine = textsOf(typed)
  const isTouched = (name: Name) =>
    mine[name] !== undefined && mine[name] !== before[name] && mine[name] !== now[name]
  return together.filter((names) => names.some(isTouched))
}

/** The fields of a sent form that would change what is stored, each by the first of its group. */
export async function changedFields(ctx: Context, stored: Incident, typed: Typed): Promise<Name[]> {
  return touchedGroups(await answerFields(ctx, stored), typed).map(([name]) => name)
}

/** What the form carries of itself: anything else than its own text says that nothing is known. */
function shownBefore(carried: unknown): Partial<Shown> {
  try {
    return textsOf(JSON.parse(String(carried)) ?? {})
  } catch {
    return {}
  }
}

function textsOf(given: Typed): Partial<Shown> {
  const texts = together.flat().filter((name) => typeof given[name] === 'string')
  return Object.fromEntries(texts.map((name) => [name, given[name]]))
}

function inWords(name: Name, values: Shown, { t, h, assignees }: Worded): string {
  const value = name === 'statusReason' && values.statusReason === 'other' ? values.otherReason : values[name]
  const { nothing, noOne } = t.answers
  if (name === 'assignee') return assignees.find(([assignee]) => assignee === value)?.[1] ?? noOne
  if (value === '') return nothing
  if (name === 'statusReason') return t.live.reason(value)
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/.exec(value) ?? []
  if (!day || Number.isNaN(Date.parse(day))) return value
  return time ? `${h.wholeDay(day)}, ${time}` : h.wholeDay(day)
}

const someone = /^(nobody|(staff|contact)-[1-9]\d{0,9})?$/

/**
 * The assignee in a request: an id, or in one field of a form `staff-3`, `contact-5` or `nobody`.
 */
export const assigneeFields = {
  assigneeId: id('assignee').nullish(),
  contactId: id('contact').nullish(),
  assignee: z.string('not_text').regex(someone, 'assignee_or_contact_unknown').nullish(),
  dueOn: emptied(day('dueOn')),
}

type AssigneeInput = z.output<z.ZodObject<typeof assigneeFields>>

/** What is said again of who does it. */
export function assigneeFrom({ assigneeId, contactId, assignee, dueOn }: AssigneeInput): AssigneeChange {
  const [kind, number] = (assignee ?? '').split('-')
  if (!kind) return { assigneeId: assigneeId ?? undefined, contactId: contactId ?? undefined, dueOn }
  const chosen = parseId(number) ?? null
  return {
    assigneeId: kind === 'staff' ? chosen : null,
    contactId: kind === 'contact' ? chosen : null,
    dueOn,
  }
}

type Choice = [value: string, label: string]

/**
 * Who may do an incident, as options of a form: the contact that looks after the asset, if one is
 * given, then active staff by name, then the other contacts in display order.
 */
export async function assigneeOptions(
  { state: { text } }: Context,
  assetId: number | null = null,
): Promise<Choice[]> {
  const [staff, contacts] = await Promise.all([
    query<{ id: number; name: string }>(
      `select u.id, u.name from users u where u.active and is_staff(u.role) order by lower(u.name), u.id`,
    ),
    query<{ id: number; name: string; label: string; hasEmail: boolean; isKeeper: boolean }>(
      `select k.id, k.name, k.label, k.email <> '' as has_email,
         exists (select from assets a where a.id = $1 and a.contact_id = k.id) as is_keeper
       from contacts k order by k.sort_order, k.id`,
      [assetId],
    ),
  ])
  const options = contacts.map(({ id, name, label, hasEmail, isKeeper }) => {
    const contact = text.answers.contact(name, label, hasEmail)
    const option: Choice = [`contact-${id}`, isKeeper ? text.answers.keeper(contact) : contact]
    return { isKeeper, option }
  })
  return [
    ...options.filter(({ isKeeper }) => isKeeper).map(({ option }) => option),
    ...staff.map(({ id, name }): Choice => [`staff-${id}`, name]),
    ...options.filter(({ isKeeper }) => !isKeeper).map(({ option }) => option),
  ]
}

/** A template in one of its languages, as the answer form offers it. */
type TemplateChoice = {
  value: string
  label: string
  words: string
  status: Status | null
  statusReason: string | null
}

/** Every template in every language it has words in; without any words, once. */
export async function templateChoices(): Promise<TemplateChoice[]> {
  const templates = await ReplyTemplate.all()
  return templates.flatMap(({ id, name, wordsEn, wordsEs, status, statusReason }) => {
    const words = { en: wordsEn, es: wordsEs } satisfies Record<Locale, string>
    const spoken = locales.filter((locale) => words[locale] !== '')
    const alone = { value: `${id}`, label: name, words: '', status, statusReason }
    if (spoken.length === 0) return [alone]
    return spoken.map((locale) => ({
      ...alone,
      value: `${id}-${locale}`,
      label: `${name} (${texts[locale].name})`,
      words: words[locale],
    }))
  })
}

/**
 * The version of an answer form. It is read before the form's content, so that no change in between
 * is missed.
 */
export const formVersion = (ctx: Context, incidentId: number): Promise<string> | string =>
  ctx.state.viewer.staff && representationOf(ctx) !== 'json' ? officeVersion(incidentId) : ''

/** The fields of the form with what is stored. */
async function answerFields(ctx: Context, stored: Incident): Promise<Shown> {
  const { property } = await ctx.state.building()
  const h = formatFor(ctx.state.locale, property.timezone)
  const { expectedBackAt, statusReason, dueOn } = stored
  const reason = statusReason ?? ''
  const isOther = reason !== '' && !Object.hasOwn(ctx.state.text.live.reasons, reason)
  return {
    expectedBackAt: expectedBackAt ? h.localInput(expectedBackAt.toISOString()) : '',
    statusReason: isOther ? 'other' : reason,
    otherReason: isOther ? reason : '',
    assignee: assigneeValue(stored) ?? 'nobody',
    dueOn: dueOn ?? '',
  }
}

/** The assignee as the value of a form's field; null when there is none. */
export function assigneeValue({
  assigneeId,
  contactId,
}: Pick<Incident, 'assigneeId' | 'contactId'>): string | null {
  if (assigneeId !== null) return `staff-${assigneeId}`
  return contactId === null ? null : `contact-${contactId}`
}

/** The office's answer form: what stands now and what may be chosen. */
export async function answerForm(ctx: Context, stored: Incident): Promise<Record<string, unknown>> {
  const { property } = await ctx.state.building()
  const h = formatFor(ctx.state.locale, property.timezone)
  const [answer, assignees, { assigneeName, contactName }] = await Promise.all([
    answerFields(ctx, stored),
    assigneeOptions(ctx, stored.assetId),
    Incident.assignee(stored.id),
  ])
  const { assignee } = answer
  const isMissing = assignee !== 'nobody' && assignees.every(([value]) => value !== assignee)
  const named: typeof assignees = isMissing
    ? [...assignees, [assignee, assigneeName ?? contactName ?? '']]
    : assignees
  return {
    answer,
    shown: JSON.stringify(answer),
    answerAgain: (typed: Record<string, unknown>) =>
      answerAgain(answer, typed, { t: ctx.state.text, h, assignees: named }),
    assignees: named,
    templates: await templateChoices(),
  }
}
