import { openPhoto } from '../../actions/incidents/photos.js'
import { found } from '../../domain/system/invalid.js'
import { names } from '../../web/answer/conditional.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

/** GET /api/photos/<path>: the bytes of a photo or thumbnail (spec §4, decision 2.12). Anybody may see an incident's. */
export function photoRoutes(router: AppRouter): void {
  router.get('/api/photos/{*path}', allow('photo.read'), async (ctx) => {
    const path = ctx.path.slice('/api/photos/'.length)
    const file = found(await openPhoto(path, ctx.state.user?.id ?? null))
    ctx.state.forEverybody = file.forAnybody
    ctx.set('Cache-Control', file.forAnybody ? 'private, max-age=31536000, immutable' : 'private, no-store')
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
    ctx.set('Content-Disposition', 'inline; filename="photo.jpg"')
    ctx.set('ETag', `"${path}"`)
    ctx.status = 200
    if (names(ctx.get('If-None-Match'), path)) {
      file.stream.destroy()
      ctx.status = 304
      return
    }
    ctx.type = 'image/jpeg'
    ctx.length = file.size
    if (ctx.method === 'HEAD') file.stream.destroy()
    else ctx.body = file.stream
  })
}
