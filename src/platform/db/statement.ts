import type { Actor } from '../../vocabulary/people/actor.js'

/** SQL with its parameters. */
export type Statement = { text: string; values: unknown[] }

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string

/**
 * The row a change is about, as SQL: `from` is a relation of one row, the others are expressions
 * over it: either bound values, or the row the same statement inserts. `occurredAt`: when it
 * happened; mostly `now`.
 */
export type Subject = {
  from: string
  id: string
  fact: string
  details: string
  now: string
  occurredAt: string
  /** Of the incident; null when it has none with an account. */
  reporterId: string
}

/** One bookkeeping part of a change: an SQL write over its subject, by this actor. */
export type EffectStatement = (bind: Bind, subject: Subject, actor: Actor) => string

/** Builds a statement; `write` gets the function that adds parameters. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}

/** A subject known in JavaScript; `details` is for some effects only, such as the status before. */
type KnownEvent = {
  id: number | null
  fact: unknown
  details?: Record<string, unknown> | undefined
  now: Date
  occurredAt?: Date | undefined
}

/** A subject of known values; each is bound only when a part uses it. */
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
    get reporterId() {
      return `(select reporter_id from incidents where id = ${bind(given.id)}::integer)`
    },
    get now() {
      return `${bind(given.now)}::timestamptz`
    },
    get occurredAt() {
      return `${bind(given.occurredAt ?? given.now)}::timestamptz`
    },
  }
}
