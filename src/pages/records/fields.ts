import { z } from 'zod'

/** The version of the record a form was made from (`versionOf`); JSON may leave it out. */
export const SeenVersion = z.object({ seen: z.string('not_text').nullish() })

/** A position in a display order. */
export const place = z
  .number('place_unknown')
  .int('place_unknown')
  .min(-100_000, 'place_unknown')
  .max(100_000, 'place_unknown')
