import { z } from 'zod'

/** The version of a record that a form was made from (`versionOf`); JSON need not say one. */
export const SeenVersion = z.object({ seen: z.string('not_text').nullish() })

/** A place in a display order: whole and small enough to be moved about. */
export const place = z
  .number('place_unknown')
  .int('place_unknown')
  .min(-100_000, 'place_unknown')
  .max(100_000, 'place_unknown')
