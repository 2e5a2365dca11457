import { matchesEtag } from '../../platform/http/answer/compression.js'
import { answeredByHandler, file, page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { findPhoto } from '../model/photos/photoAccess.js'
import { detailOf } from './incidentPage.js'
import { stagerOf } from './postedPhotos.js'

/** Photos of incidents, which are public (spec §4, decision 2.12): on pages, and as files. */
export const photoRoutes = [
  route({
    method: 'get',
    paths: '/incidents/:id/photos/:photoId',
    summary: 'A photo of a report, with the way back that an installed app has no button for.',
    permission: 'photo.read',
    answer: page,
    handle: async ({ params: { id, photoId }, viewer }) => {
      const incident = await detailOf(id, viewer)
      const photo = orNotFound(incident.photos.find((one) => one.id === photoId))
      return { view: 'incidents/photo', extras: { incident, photo } }
    },
  }),

  route({
    method: 'get',
    paths: '/api/photos/{*path}',
    group: 'incidents',
    otherSites: true,
    summary: 'A photo, or its thumbnail at <path>.thumb.jpg.',
    permission: 'photo.read',
    answer: file('image/jpeg'),
    handle: async ({ ctx, viewer }) => {
      const path = orNotFound(decoded(ctx.path.slice('/api/photos/'.length)))
      const photo = orNotFound(await findPhoto(path, stagerOf(ctx), viewer))
      // Bytes never change, so a client that has them is answered without asking the store.
      const known = matchesEtag(ctx.get('If-None-Match'), path)
      const stored = known ? null : orNotFound(await photo.open())
      ctx.state.response.isSameForEveryone = photo.forAnybody
      ctx.set(
        'Cache-Control',
        photo.forAnybody ? 'private, max-age=31536000, immutable' : 'private, no-store',
      )
      ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
      ctx.set('Content-Disposition', 'inline; filename="photo.jpg"')
      ctx.set('ETag', `"${path}"`)
      ctx.status = stored ? 200 : 304
      if (!stored) return answeredByHandler
      ctx.type = 'image/jpeg'
      ctx.length = stored.size
      if (ctx.method === 'HEAD') stored.stream.destroy()
      else ctx.body = stored.stream
      return answeredByHandler
    },
  }),
]

/**
 * The path of a photo, which clients may encode with its slashes; null when it cannot be decoded.
 */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
