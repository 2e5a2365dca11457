/** Characters that are read of the text of one part of an email, or of the text of its HTML. */
export const mostPartText = 100_000
