import { Router } from '@koa/router'
import { z } from 'zod'
import type { ApiGroup } from '../../../vocabulary/apiGroups.js'
import type { Actor, Viewer } from '../../../vocabulary/people/actor.js'
import { type Permission, permissions } from '../../../vocabulary/people/permissions.js'
import { respond } from '../answer/respond.js'
import type { AppRouter, Context, FormPage, Middleware, State } from '../context.js'
import { isApi } from '../paths.js'
import { Problem, problemFrom } from '../problem.js'
import { anyOrigin, isAnonymousRead } from '../protection/securityHeaders.js'
import { type Throttled, throttle } from '../protection/throttle.js'
import { representationOf } from '../representation.js'
import { allow, requirePermission } from '../request/allow.js'
import { body as readBody } from '../request/body.js'
import { idempotent, type SameForm } from '../request/idempotency.js'
import { input, rememberShownTimes } from '../request/input.js'
import type { LargeBody } from '../request/largeBody.js'
import { isForm } from '../request/parsedBody.js'
import { sheetBody } from '../request/sheet.js'
import { type MovedFields, rejectUnreadInput } from '../request/unreadInput.js'
import { type FileParts, requireWritten } from '../request/uploads.js'
import {
  type Answers,
  answeredByHandler,
  answersOf,
  type DeclaredAnswer,
  type HandlerResult,
} from './answerContent.js'
import {
  type Body,
  type BodyOf,
  bodyReader,
  type FieldSchemas,
  isBody,
  isRead,
  type QueryOf,
  queryReader,
} from './fields.js'
import { type ParamSchemas, type Params, paramsIn, paramsReader } from './params.js'

/** A form's page, and what keeps its photos when it is refused: browsers do not resend them. */
type RouteForm = FormPage & { keepPhotos?: (ctx: Context) => Promise<void> }

/** Names the page of a route's form: a refusal shows it with what was typed (decision 6.17). */
function form(page: RouteForm): Middleware {
  return async (ctx, next) => {
    ctx.state.refusal.form = page
    try {
      await next()
    } catch (error) {
      const { status, code, members } = problemFrom(error)
      if (page.keepPhotos && representationOf(ctx) !== 'json') {
        if (status === 422 || members.errors || (status === 409 && page.conflicts) || code === 'sent_before')
          await page.keepPhotos(ctx)
        // Nothing more can be stored: new photos are dropped, staged ones stay in the form.
        if (status === 503) {
          ctx.state.uploads = []
          await page.keepPhotos(ctx).catch(() => {})
        }
      }
      throw error
    }
  }
}

/** For an address with a secret: no cache keeps the page, and no link sends the address on. */
function confidential(): Middleware {
  return async (ctx, next) => {
    ctx.set('Referrer-Policy', 'no-referrer')
    await next()
    ctx.set('Cache-Control', 'no-store')
  }
}

/** Lets pages of other sites read what a route sends as data, refusals included. */
function otherSites(answers: Answers): Middleware {
  const isFile = [...answers.values()].some((content) => 'kind' in content && content.kind === 'file')
  return (ctx, next) => {
    if ((isFile || isApi(ctx.path)) && isAnonymousRead(ctx.req)) ctx.set(anyOrigin)
    return next()
  }
}

function probe(): Middleware {
  return (ctx, next) => {
    ctx.state.response.isProbe = true
    return next()
  }
}

/** Lets phones of residents keep its page for times without a connection. */
function keptOffline(): Middleware {
  return (ctx, next) => {
    ctx.state.response.isKeptOffline = true
    return next()
  }
}

/** Lets search engines list the answers of a route. */
function indexed(which: true | 'pages'): Middleware {
  return (ctx, next) => {
    if (which === true || !isApi(ctx.path)) ctx.state.response.isIndexed = true
    return next()
  }
}

type Paths = string | readonly [string, ...string[]]

/** What is known of a request before its fields are validated. */
type RequestFacts<P extends Paths, S> = { ctx: Context; params: Params<P, S>; actor: Actor; viewer: Viewer }

/**
 * What reads and writes share. P: the paths; S: the schemas of their parameters; N: the subject;
 * Q and B: the schemas of query and body; A: the declared answer.
 */
type Common<P extends Paths, S, N, Q, B, A> = {
  /** `both('/x/:id')` is page and API; parameters are ids unless `params` has a schema. */
  paths: P
  /** The group of its API address in the description; a page alone has none. */
  group?: ApiGroup
  /** One short English sentence for the API description. */
  summary: string
  permission: Permission
  /** Saves a browser's form before a 401; true when it has answered itself. */
  beforeSignIn?: (ctx: Context) => Promise<boolean>
  /** The address is a secret: no cache keeps it, no link sends it on. */
  confidential?: true
  /** Pages of other sites may read its data, not its page: it is the same for everyone. */
  otherSites?: true
  /** Search engines may list it: it names no person. `pages`: not its data. */
  indexed?: true | 'pages'
  /** Phones of residents may keep its page, to be read without a connection (decision 7.29). */
  keptOffline?: true
  /** Monitors ask for it every few seconds: the request log leaves it out. */
  probe?: true
  /** The kind of write it is counted as (decision 1.6). */
  throttle?: Throttled
  /** Schemas of path parameters that are not ids. */
  params?: S
  /** Looks up what the request is about before its fields are read; throws NotFound or Conflict. */
  subject?: (asking: RequestFacts<P, S>) => Promise<N>
  query?: Q
  /** The response to a success: one content, or contents by status with the lowest as default. */
  answer: A
  /** A list with a Link header for its next page. */
  paged?: true
  /** Shows a refused form again. */
  form?: RouteForm
  /** Returns an Answer for `respond`, or `answeredByHandler` when it has written the response. */
  handle: (
    request: RequestFacts<P, S> & { subject: N; query: QueryOf<Q>; body: BodyOf<B> },
  ) => Promise<HandlerResult<A>> | HandlerResult<A>
}

type Reading = { method: 'get'; body?: undefined }
type Writing<B> = {
  method: 'post' | 'patch' | 'delete'
  body: B
  /** Fields that need one more permission, which is checked first (spec §4 rule 2). */
  needs?: Record<string, Permission>
  /** Fields that mean another operation: 422 in JSON, and it is named (decision 7.6). */
  movedFields?: MovedFields
  /** The object as this caller reads it: a moved field that is equal there is ignored. */
  asRead?: (asking: { id: number; viewer: Viewer }) => Promise<object>
  /**
   * The record whose times the form of this page shows, if there is one: a time that is sent back
   * as it was shown is read as the stored instant. A test asks for it wherever a form has such a
   * field.
   */
  shownRecord?: (asking: { ctx: Context; params: Record<string, unknown> }) => Promise<object | null>
  photos?: true
  /** A body above the usual size, one request at a time. */
  large?: LargeBody
  /** Takes a spreadsheet, as a file or as text. */
  sheet?: true
  /** Runs once per Idempotency-Key (decision 2.14). */
  idempotent?: true
  /**
   * What makes two forms of this route the same (decision 9.12); null when the site never asks
   * before storing one twice.
   */
  sameForm?: SameForm
}

/**
 * Makes a route; router, tests and API description are made from it. Throws at start when it is
 * incomplete. Order: permission, throttle, origin and body, Idempotency-Key, `needs`, path,
 * `subject`, query, fields.
 */
export function route<
  const P extends Paths,
  A extends DeclaredAnswer,
  S extends ParamSchemas = Record<never, never>,
  N = undefined,
  Q extends FieldSchemas | undefined = undefined,
  B extends Body | undefined = undefined,
>(declaration: Common<P, S, N, Q, B, A> & (Reading | Writing<B>)): Route {
  const spec = declaration as unknown as RouteSpec
  const paths = [spec.paths].flat() as string[]
  const name = `${String(spec.method).toUpperCase()} ${paths[0]}`
  const fault = faultIn(spec, paths)
  if (fault) throw new Error(`route ${name}: ${fault}`)
  const answers = answersOf(spec.answer)!
  const middleware = middlewareOf(spec, paths[0]!, answers)
  return { params: {}, needs: {}, movedFields: {}, ...spec, name, paths, answers, middleware }
}

/** A route's value at run time, where its types may have been bypassed. */
type RouteSpec = Omit<
  Common<Paths, ParamSchemas, unknown, FieldSchemas, Body, DeclaredAnswer>,
  'subject' | 'handle'
> &
  Partial<Omit<Writing<Body>, 'method'>> & {
    method: 'get' | 'post' | 'patch' | 'delete'
    subject?: (asking: RequestFacts<Paths, ParamSchemas>) => Promise<unknown>
    handle: (request: object) => Promise<HandlerResult<DeclaredAnswer>>
  }

/** A route: everything there is to say about it, in one value. */
export type Route = Readonly<
  Omit<RouteSpec, 'paths'> & {
    /** Method and first path, for tests and errors. */
    name: string
    paths: readonly string[]
    params: ParamSchemas
    needs: Record<string, Permission>
    movedFields: MovedFields
    answers: Answers
    /** What the router runs, in order. */
    middleware: readonly Middleware[]
  }
>

const methods = ['get', 'post', 'patch', 'delete']

/** What a value lacks that the compiler would have demanded; null when it is complete. */
function faultIn(spec: RouteSpec, paths: string[]): string | null {
  const names = new Set(paths.map((path) => paramsIn(path).join()))
  const unknown = Object.keys(spec.params ?? {}).filter((name) => !paramsIn(paths[0] ?? '').includes(name))
  const permitted = [spec.permission, ...Object.values(spec.needs ?? {})]
  if (!methods.includes(spec.method ?? '')) return 'it has no method'
  if (paths.length === 0 || !paths.every((path) => path.startsWith('/'))) return 'it has no path'
  if (names.size > 1 || unknown.length > 0) return 'its paths do not have the parameters it reads'
  if (!permitted.every((each) => Object.hasOwn(permissions, each ?? ''))) return 'it has no permission'
  if (!spec.summary) return 'it has no summary'
  if (!answersOf(spec.answer)) return 'its answer is neither a schema nor page, noContent or file'
  if ((spec.method === 'get') !== (spec.body === undefined)) return 'a write has a body, and a read has none'
  if (spec.body !== undefined && !isBody(spec.body)) return 'its body is nothing that can be read'
  return null
}

/** The middleware of a route, in order. */
function middlewareOf(spec: RouteSpec, path: string, answers: Answers): Middleware[] {
  const { permission, beforeSignIn, photos, large, sheet, body } = spec
  const bodyOptions = { photos: photos ? 'store' : 'refuse', ...(large ? { large } : {}) } as const
  return [
    allow(permission, beforeSignIn),
    ...(spec.otherSites ? [otherSites(answers)] : []),
    ...(spec.probe ? [probe()] : []),
    ...(spec.keptOffline ? [keptOffline()] : []),
    ...(spec.indexed ? [indexed(spec.indexed)] : []),
    ...(spec.confidential ? [confidential()] : []),
    ...(spec.throttle ? [throttle(spec.throttle)] : []),
    ...(isRead(body) ? [sheet ? sheetBody() : readBody(bodyOptions)] : []),
    ...(spec.idempotent ? [idempotent(spec.sameForm)] : []),
    ...(spec.form ? [form(spec.form)] : []),
    handling(spec, path, answers),
  ]
}

/** Reads and validates a request, runs its handler and responds. */
function handling(spec: RouteSpec, path: string, answers: Answers): Middleware {
  const { needs = {}, params: schemas = {}, subject, query, body, handle } = spec
  const fieldPermissions = Object.entries(needs).map(
    ([field, permission]) => [z.object({ [field]: z.unknown().optional() }), field, permission] as const,
  )
  const paramsOf = paramsReader(path, schemas)
  const queryFrom = query && queryReader(query)
  const bodyFrom = isRead(body) ? bodyReader(body) : undefined
  const { movedFields = {}, asRead = async () => ({}), shownRecord, photos, sheet } = spec
  const files: FileParts = photos ? 'photos[]' : sheet ? 'file' : null
  const [defaultStatus] = answers.keys()
  return async (ctx) => {
    requireWritten(ctx)
    for (const [schema, field, permission] of fieldPermissions)
      if ((input(ctx, schema)[field] ?? null) !== null) requirePermission(ctx, permission)
    const { actor, viewer } = ctx.state
    const facts = { ctx, params: paramsOf(ctx), actor, viewer }
    if (shownRecord && isForm(ctx)) {
      const { property } = await ctx.state.building()
      const record = await shownRecord({ ctx, params: facts.params })
      rememberShownTimes(ctx, record, property.timezone)
    }
    const inputs = { subject: await subject?.(facts), query: await queryFrom?.(ctx) }
    if (bodyFrom)
      await rejectUnreadInput(ctx, {
        movedFields,
        files,
        asRead: () => asRead({ id: facts.params.id as number, viewer }),
      })
    const answer = await handle({ ...facts, ...inputs, body: await bodyFrom?.(ctx) })
    if (actor.idempotency?.sentBefore) throw askedBefore(answer, actor.idempotency.sentBefore)
    if (answer !== answeredByHandler) await respond(ctx, { status: defaultStatus!, ...answer })
  }
}

/** The question whether to send a form all the same; `answer` is that of the first time. */
function askedBefore(answer: HandlerResult<DeclaredAnswer>, sentAt: Date): Problem {
  const location = 'location' in answer ? (answer.location ?? null) : null
  return new Problem(409, 'sent_before', { members: { first: { location, sentAt: sentAt.toISOString() } } })
}

/** The router of these routes, matched in the order given. */
export function routerOf(routes: readonly Route[]): AppRouter {
  const router = new Router<State>()
  for (const { method, paths, middleware } of routes) router[method]([...paths], ...middleware)
  return router
}

/** A change: PATCH or DELETE at its API address, and a POST at `fromForm`, where `form` belongs. */
type Paired<P extends string, S, N, Q, B, A> = Common<P, S, N, Q, B, A> &
  Omit<Writing<B>, 'method'> & { method: 'patch' | 'delete'; fromForm: string }

/**
 * Both routes of a change, from one value: browsers cannot send PATCH or DELETE from a form. Throws
 * at start when the two addresses have other parameters.
 */
export function routePair<
  const P extends string,
  A extends DeclaredAnswer,
  S extends ParamSchemas = Record<never, never>,
  N = undefined,
  Q extends FieldSchemas | undefined = undefined,
  B extends Body | undefined = undefined,
>({ fromForm, form, ...spec }: Paired<P, S, N, Q, B, A>): [Route, Route] {
  if (paramsIn(fromForm).join() !== paramsIn(spec.paths).join())
    throw new Error(`route POST ${fromForm}: it does not have the parameters of ${spec.paths}`)
  const posted = { ...spec, method: 'post', paths: fromForm, summary: 'Does the same from a form.' }
  return [route(spec as never), route({ ...posted, ...(form && { form }) } as never)]
}
