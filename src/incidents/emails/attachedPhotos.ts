import { incidentPhotos } from '../model/photos/photos.js'

/** Photos an email carries, reduced; the others are on the page. */
const mostPhotos = 3

/**
 * The paths of the first photos of an incident, without hidden ones, and how many there are.
 * `ofReport`: only those that came with the report itself.
 */
export async function photosToAttach(
  incidentId: number,
  { ofReport = false } = {},
): Promise<{ attached: string[]; count: number }> {
  const photos = await incidentPhotos(incidentId)
  const attachable = photos.filter(
    ({ hiddenAt, updateId }) => hiddenAt === null && (updateId === null || !ofReport),
  )
  return { attached: attachable.slice(0, mostPhotos).map(({ path }) => path), count: attachable.length }
}
