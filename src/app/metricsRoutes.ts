import { answeredByHandler, file } from '../platform/http/route/answer.js'
import { route } from '../platform/http/route/route.js'
import { metrics } from './metrics.js'

/** GET /metrics: the figures of this process for Prometheus, by METRICS_TOKEN alone. */
export const metricsRoutes = [
  route({
    method: 'get',
    paths: '/metrics',
    summary: 'The metrics of this process in Prometheus format.',
    permission: 'metrics.read',
    answer: file('text/plain'),
    handle: async ({ ctx }) => {
      const { type, text } = await metrics()
      ctx.set('Cache-Control', 'no-store')
      ctx.body = await text()
      ctx.set('Content-Type', type)
      return answeredByHandler
    },
  }),
]
