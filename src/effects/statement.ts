/** SQL that a change runs on its way out, together with its commit. */
export type Statement = { text: string; values: unknown[] }
