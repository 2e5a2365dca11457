import { Problem } from '../platform/http/problem.js'
import { answeredByHandler, file } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { config } from '../platform/process/config.js'
import { locales } from '../text/index.js'

export const securityContactRoutes = [
  route({
    method: 'get',
    paths: ['/.well-known/security.txt', '/security.txt'],
    summary:
      'Where to report a security vulnerability (RFC 9116). Responds with 404 if SECURITY_CONTACT isn’t set.',
    permission: 'page.read',
    answer: file('text/plain'),
    handle: ({ ctx }) => {
      if (!config.securityContact) throw new Problem(404, 'not_found')
      ctx.type = 'text/plain; charset=utf-8'
      ctx.state.response.isSameForEveryone = true
      ctx.set('Cache-Control', 'public, max-age=3600')
      ctx.body = [
        `Contact: ${config.securityContact}`,
        `Expires: ${halfAYearFrom(new Date()).toISOString()}`,
        `Preferred-Languages: ${locales.join(', ')}`,
        ...(config.publicUrl ? [`Canonical: ${config.publicUrl}/.well-known/security.txt`] : []),
        '',
      ].join('\n')
      return answeredByHandler
    },
  }),
]

/** The first of a month, so that the text is stable; RFC 9116 asks for less than a year. */
function halfAYearFrom(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7, 1))
}
