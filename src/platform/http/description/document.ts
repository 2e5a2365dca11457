import { type ApiGroup, apiGroups } from '../../../vocabulary/apiGroups.js'
import { permissions } from '../../../vocabulary/people/permissions.js'
import { config } from '../../process/config.js'
import { ProblemJson } from '../problem.js'
import type { Route } from '../route/route.js'
import { cookieName } from '../session/sessionCookie.js'
import { type JsonSchema, schemas } from './jsonSchema.js'
import { type Operation, operationOf, templateOf } from './operation.js'
import { headers, locationHeader, problemResponses, retryAfterHeader } from './responses.js'

/** The description of the service (OpenAPI 3.1). */
export type Description = {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: ApiGroup; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, JsonSchema> }
  'x-permissions': typeof permissions
}

/** Raised when a caller has something to change. */
const version = '1.0.0'

/** Describes each route at its API addresses, and the health checks. Pages are for people. */
export function describe(routes: readonly Route[]): Description {
  const shapes = schemas()
  shapes.answer(ProblemJson)
  const paths: Description['paths'] = {}
  const used = new Set<ApiGroup>()
  for (const route of routes)
    for (const path of route.paths.filter((each) => isDescribed(route, each))) {
      const operation = operationOf(route, path, shapes)
      paths[templateOf(path)] = { ...paths[templateOf(path)], [route.method]: operation }
      used.add(operation.tags[0])
    }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Caretaker',
      version,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.publicUrl ?? '/' }],
    tags: [...used].map((name) => ({ name, description: apiGroups[name] })),
    paths,
    components: { schemas: shapes.components, ...shared },
    'x-permissions': permissions,
  }
}

const isDescribed = ({ permission }: Route, path: string) =>
  path.startsWith('/api/') || permission === 'health.read'

const about =
  'Incidents, asset status and uptime of one building. A form may be sent instead of JSON. `x-permission` says who may, as listed in `x-permissions`; `x-field-permissions` names fields that ask for more.'

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })
const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

const refusals = Object.entries(problemResponses).map(([status, [name, description]]) => {
  const waits = status === '429' || status === '503'
  return [name, { description, ...(waits ? { headers: retryAfterHeader } : {}), content: problem }]
})

/** What operations point at. */
const shared = {
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'Set by signing in.' },
    mobile: bearer('The key of the mobile app (MOBILE_API_KEY).'),
    cron: bearer('The secret of a scheduler (CRON_SECRET).'),
    inbound: bearer(
      'The secret of a mail provider (INBOUND_EMAIL_SECRET); also as the password of HTTP Basic, with any name.',
    ),
    monitor: bearer('The token of a monitor (METRICS_TOKEN).'),
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A request sent again with the same key is done once and gets the same response.',
      schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    },
  },
  headers,
  responses: {
    NotModified: { description: 'Not changed since the version named in If-None-Match.' },
    SeeOther: {
      description: 'If Accept asks for HTML: redirects to the page with the result.',
      headers: locationHeader,
    },
    ...Object.fromEntries(refusals),
  },
}
