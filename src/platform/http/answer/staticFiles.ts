import path from 'node:path'
import type { Middleware } from '../context.js'
import { once } from '../memoized.js'
import { Problem } from '../problem.js'
import { staticAssetAt } from '../staticAssets.js'
import { compressed, type Encoding, matchesEtag, pickEncoding } from './compression.js'

type Variants = Partial<Record<Encoding, Promise<Buffer>>>

/** The files in each encoding that was asked for, by their addresses. */
const compressedFiles = new Map<string, Variants>()

/** Serves static files by their hashed addresses, from memory, compressed once. */
export function staticFiles(): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/static/')) return next()
    const asset = staticAssetAt(ctx.path)
    if (!asset || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) throw new Problem(404, 'not_found')
    const encoding = asset.type.startsWith('image/png')
      ? 'identity'
      : pickEncoding(ctx.get('Accept-Encoding'))
    ctx.state.response.isIndexed = true
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.set('ETag', `"${path.basename(ctx.path)}"`)
    ctx.vary('Accept-Encoding')
    ctx.status = 200
    if (matchesEtag(ctx.get('If-None-Match'), path.basename(ctx.path))) {
      ctx.status = 304
      return
    }
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
    ctx.body = await once(variantsOf(ctx.path), encoding, () => compressed(asset.bytes, encoding, 11))
    ctx.type = asset.type
  }
}

function variantsOf(address: string): Variants {
  const variants = compressedFiles.get(address) ?? {}
  compressedFiles.set(address, variants)
  return variants
}
