import type { Format } from '../../platform/http/answer/format.js'
import type { Text } from '../../text/index.js'

/** The fields of the answer form that show what stands; those of one line are changed as one. */
const together = [['expectedBackAt'], ['statusReason', 'otherReason'], ['doneBy'], ['dueOn']] as const
type Name = (typeof together)[number][number]
/** What they showed or show, as text. */
export type Shown = Record<Name, string>

/** A field that both have changed, as its label and both values in words. */
export type Both = { label: string; theirs: string; ours: string }

type Typed = Partial<Record<Name | 'shown', unknown>>
type Worded = { t: Text; h: Format; doers: readonly [value: string, label: string][] }

/**
 * The form after the office has answered meanwhile: what the person did not touch since it was `shown` takes the value of
 * now, so that sending it again takes back nothing of the other's; what both have changed is named with both values.
 */
export function answerAgain(now: Shown, typed: Typed, words: Worded): { values: Shown; both: Both[] } {
  const before = shownBefore(typed.shown)
  const mine = textsOf(typed)
  const touched = together.filter((names) =>
    names.some((name) => mine[name] !== undefined && mine[name] !== before[name] && mine[name] !== now[name]),
  )
  const values = { ...now }
  for (const name of touched.flat()) values[name] = mine[name] ?? ''
  const contested = touched.filter((names) => names.some((name) => before[name] !== now[name]))
  const both = contested.map(([name]) => ({
    label: labelOf(name, words.t),
    theirs: inWords(name, now, words),
    ours: inWords(name, values, words),
  }))
  return { values, both }
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

function labelOf(name: Name, { answers, residents }: Text): string {
  const labels: Partial<Record<Name, string>> = { doneBy: answers.doneBy, dueOn: answers.dueOn }
  const { office } = residents
  return labels[name] ?? (name === 'expectedBackAt' ? office.expectedBackAt : office.statusReason)
}

function inWords(name: Name, values: Shown, { t, h, doers }: Worded): string {
  const value = name === 'statusReason' && values.statusReason === 'other' ? values.otherReason : values[name]
  const { nothing, nobody } = t.answers
  if (name === 'doneBy') return doers.find(([doer]) => doer === value)?.[1] ?? nobody
  if (value === '') return nothing
  if (name === 'statusReason') return t.residents.reason(value)
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/.exec(value) ?? []
  if (!day || Number.isNaN(Date.parse(day))) return value
  return time ? `${h.wholeDay(day)}, ${time}` : h.wholeDay(day)
}
