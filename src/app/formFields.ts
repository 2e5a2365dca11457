/** What the fields of forms are, by their names, where their routes do not say it. */
export const formFields = {
  /** People write sentences in them: on the page of a refusal, these can be read and copied. */
  texts: ['title', 'description', 'body', 'note', 'costNote'],
  /** Numbers that people type: they are not shown again. */
  amounts: ['amount'],
  /** A page writes them into its form, with other values when it is fetched again. */
  writtenByPage: ['shownPreview', 'returnTo', 'namedAnyway'],
} as const
