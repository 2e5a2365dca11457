import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'
import { signUps } from '../../vocabulary/people/signUp.js'
import { mailVisibilities, unitVisibilities } from '../../vocabulary/people/visibility.js'
import type { Property } from '../building.js'

/** The building (spec §2), with the office's settings. */
export const PropertyJson = shape('Property', {
  id: rowId,
  name: z.string(),
  address: z.string(),
  timezone: z.string(),
  currency: z.string(),
  locale: z.string(),
  secondFactorRequired: z.enum(['off', 'staff']),
  officePhone: z.string(),
  unitVisibility: z.enum(unitVisibilities),
  mailVisibility: z.enum(mailVisibilities),
  signUp: z.enum(signUps),
})

export function presentProperty(property: Property): z.output<typeof PropertyJson> {
  const { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone } = property
  const { unitVisibility, mailVisibility, signUp } = property
  const house = { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone }
  return { ...house, unitVisibility, mailVisibility, signUp }
}
