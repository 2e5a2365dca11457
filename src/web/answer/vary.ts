/**
 * The headers of a request that decide between answers, for `Vary`: its representation (`representationOf`), its
 * language, and who asks.
 */
export const varying =
  'Accept, Accept-Language, Authorization, Cookie, HX-Request, HX-History-Restore-Request'

/** The same of JSON that has no words in it and is everybody's. */
export const varyingData = 'Accept, Authorization'
