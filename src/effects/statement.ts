import type { Actor } from '../domain/accounts/actor.js'

/** SQL with its parameters, as a change runs it. */
export type Statement = { text: string; values: unknown[] }

/** Adds a parameter to the statement under construction and returns its placeholder. */
export type Bind = (value: unknown) => string

/**
 * What a change is about, as SQL: `from` is a relation of one row, the others are expressions over it. Either values
 * known by now, or the row that the very same statement makes.
 */
export type Subject = { from: string; id: string; fact: string; details: string; now: string }

/** A piece of a change's bookkeeping: an INSERT over its subject, by this actor. */
export type EffectStatement = (bind: Bind, subject: Subject, actor: Actor) => string

/** Builds a statement; `write` is given the function that adds its parameters. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}

/** What is known of a subject in JavaScript; `details` is what only some effects want, such as the status before. */
export type KnownEvent = {
  id: number | null
  fact: unknown
  details?: Record<string, unknown> | undefined
  now: Date
}

/** A subject whose facts are known in JavaScript; each is bound only where a part asks for it. */
export function literalSubject(bind: Bind, given: KnownEvent): Subject {
  return {
    from: '(select) as one',
    get id() {
      return `${bind(given.id)}::integer`
    },
    get fact() {
      return `${bind(JSON.stringify(given.fact))}::json`
    },
    get details() {
      return `${bind(JSON.stringify(given.details ?? {}))}::jsonb`
    },
    get now() {
      return `${bind(given.now)}::timestamptz`
    },
  }
}
