import { z } from 'zod'
import { instant, rowId, shape } from '../../platform/http/json.js'
import { AccountJson } from '../account/json.js'
import type { PersonData } from './queries.js'

const written = { id: rowId, createdAt: instant }
const about = { incidentId: rowId }

/** Everything that is kept about a person (decision 7.31). Photos are read at their addresses. */
export const PersonDataJson = shape('PersonData', {
  account: AccountJson,
  incidents: z.array(
    z.strictObject({
      ...written,
      ...{ title: z.string(), description: z.string(), isAnonymous: z.boolean() },
      ...{ severity: z.string(), status: z.string() },
    }),
  ),
  comments: z.array(
    z.strictObject({ ...written, ...about, body: z.string(), newStatus: z.string().nullable() }),
  ),
  photos: z.array(z.strictObject({ ...about, address: z.string(), createdAt: instant })),
  notes: z.array(z.strictObject({ ...written, ...about, body: z.string() })),
  followed: z.array(z.strictObject({ ...about, since: instant })),
  phones: z.array(z.strictObject({ platform: z.string(), createdAt: instant })),
  browsers: z.array(z.strictObject({ endpoint: z.string(), userAgent: z.string(), createdAt: instant })),
  acts: z.array(
    z.strictObject({
      ...{ id: rowId, at: instant, action: z.string(), entity: z.string() },
      ...{ entityId: rowId.nullable(), via: z.string() },
    }),
  ),
})

/** `addressOf`: the public address of a photo's path. */
export function presentPersonData(
  account: z.output<typeof AccountJson>,
  data: PersonData,
  addressOf: (path: string) => string,
): z.output<typeof PersonDataJson> {
  const at = <T extends { createdAt: Date }>({ createdAt, ...row }: T) => ({
    ...row,
    createdAt: createdAt.toISOString(),
  })
  return {
    account,
    incidents: data.incidents.map(at),
    comments: data.comments.map(at),
    photos: data.photos.map(({ path, ...photo }) => ({ ...at(photo), address: addressOf(path) })),
    notes: data.notes.map(at),
    followed: data.followed.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })),
    phones: data.phones.map(at),
    browsers: data.browsers.map(at),
    acts: data.acts.map(({ at: then, ...act }) => ({ ...act, at: then.toISOString() })),
  }
}
