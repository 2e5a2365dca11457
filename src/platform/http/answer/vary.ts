/**
 * For `Vary`: the request headers that decide the representation (`representationOf`), language and
 * caller.
 */
export const varying =
  'Accept, Accept-Language, Authorization, Cookie, HX-Request, HX-History-Restore-Request'

/** For JSON without words in it that is the same for everybody. */
export const varyingData = 'Accept, Authorization'
