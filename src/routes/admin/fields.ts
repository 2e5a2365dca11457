import { z } from 'zod'

/** A place in a display order: whole and small enough to be moved about. */
export const place = z
  .number('place_unknown')
  .int('place_unknown')
  .min(-100_000, 'place_unknown')
  .max(100_000, 'place_unknown')
