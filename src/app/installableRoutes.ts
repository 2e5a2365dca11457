import { reportPage } from '../incidents/pages/reporting/reportForm.js'
import type { Context } from '../platform/http/context.js'
import { answeredByHandler, file, page } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { authorTag } from '../platform/http/session/csrf.js'
import { staticAddress, staticBytes } from '../platform/http/staticAssets.js'
import { config } from '../platform/process/config.js'

/** Colours of the page, for the frame around an installed one. */
const colours = { background_color: '#f6f3ec', theme_color: '#17536b' }

/** Makes the page installable, and shows the last known status without a connection. */
export const installableRoutes = [
  route({
    method: 'get',
    paths: '/manifest.webmanifest',
    summary: 'The web app manifest.',
    permission: 'page.read',
    answer: file('application/manifest+json'),
    handle: async ({ ctx }) => {
      const { property } = await ctx.state.building()
      const icons = [192, 512].map((size) => ({
        src: staticAddress(`app-${size}.png`),
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: 'any maskable',
      }))
      const manifest = {
        id: '/',
        start_url: '/',
        scope: '/',
        name: property.name,
        short_name: property.name,
        lang: property.locale,
        display: 'standalone',
        ...colours,
        icons,
      }
      return send(ctx, 'application/manifest+json', JSON.stringify(manifest))
    },
  }),

  route({
    method: 'get',
    paths: '/worker.js',
    summary:
      'The service worker, which keeps the last known status and unsent reports. With SERVICE_WORKER=off it removes itself.',
    permission: 'page.read',
    answer: file('text/javascript'),
    handle: ({ ctx }) => send(ctx, 'text/javascript', workerScript()),
  }),

  route({
    method: 'get',
    paths: '/offline',
    summary: 'The page a browser shows when it’s offline.',
    permission: 'page.read',
    answer: page,
    handle: () => ({ view: 'status/offline' }),
  }),

  route({
    method: 'get',
    paths: '/report/waiting',
    summary: 'The page where the service worker lists unsent reports.',
    permission: 'page.read',
    answer: page,
    handle: ({ ctx: { state } }) => ({
      view: 'incidents/waiting',
      extras: { writer: state.user ? authorTag(state.user.id) : '' },
    }),
  }),

  route({
    method: 'get',
    paths: '/report/offline',
    summary: 'The report form that browsers keep for offline use. It doesn’t name an author.',
    permission: 'page.read',
    answer: page,
    handle: async ({ ctx }) => ({ view: 'incidents/report/offline', extras: await reportPage(ctx, {}) }),
  }),
]

/** The worker's parts: what shows push messages only where browsers get any. */
function workerScript(): string {
  const parts = config.serviceWorker
    ? ['worker.js', ...(config.webPush ? ['workerPush.js'] : [])]
    : ['workerOff.js']
  const script = parts.map((part) => staticBytes(part).toString()).join('\n')
  return script.replace("'app-192.png'", `'${staticAddress('app-192.png')}'`)
}

/** Asked for again each time: a worker that was replaced must not live on in a cache. */
function send(ctx: Context, type: string, body: string | Buffer): typeof answeredByHandler {
  ctx.set('Cache-Control', 'private, no-cache')
  ctx.type = `${type}; charset=utf-8`
  ctx.body = body
  return answeredByHandler
}
