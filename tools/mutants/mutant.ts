/** What a rule is about. Mutants are drawn from all kinds alike. */
export const kinds = [
  'lifecycle',
  'permission',
  'redaction',
  'limit',
  'event',
  'audit',
  'header',
  'validation',
] as const
export type Kind = (typeof kinds)[number]

/** Takes one rule out of the code: the text from `start` to `end` becomes `replacement`. */
export type Mutant = {
  kind: Kind
  /** From the root of the checkout. */
  file: string
  line: number
  /** The rule that is taken out, in the words of the code. */
  rule: string
  start: number
  end: number
  replacement: string
}

/** A mutant of one file, before it is known where that file is. */
export type Change = Pick<Mutant, 'rule' | 'start' | 'end' | 'replacement'>
