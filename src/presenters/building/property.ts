import { z } from 'zod'
import type { Property } from '../../models/building/building.js'
import { rowId, shape } from '../json.js'

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
})

export function presentProperty(property: Property): z.output<typeof PropertyJson> {
  const { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone } = property
  return { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone }
}
