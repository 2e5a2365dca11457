/** Characters of the text of one part of an email that are read; of HTML, of the text made of it. */
export const mostPartText = 100_000
