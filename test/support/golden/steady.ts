/**
 * What is drawn at random, each replaced by its name. Times are not: the clock stands still. Ids follow from the order
 * in which things happen, which is always the same.
 */
const drawn: [RegExp, string][] = [
  [/(name="formToken" value=")[^"]*/g, '$1<form token>'],
  [/(name="writer" value=")[^"]*/g, '$1<writer>'],
  [/(\/(?:follow|invitation|reset-password|sign-in\/link|sign-up)\/)[\w-]{43}/g, '$1<token>'],
  [/••••[\w-]{4}/g, '••••<end of the secret>'],
  [/[\da-f]{2}\/[\da-f]{2}\/[\da-f]{32}/g, '<photo>'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<uuid>'],
]

/** A text without what another run would draw differently. */
export const steady = (text: string): string =>
  drawn.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text)
