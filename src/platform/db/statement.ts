/** SQL with its parameters. */
export type Statement = { text: string; values: unknown[] }

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string

/** Builds a statement; `write` gets the function that adds parameters. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: unknown[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}
