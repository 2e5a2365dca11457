import { z } from 'zod'
import { reportPage } from '../incidents/pages/reportForm.js'
import { Problem } from '../platform/http/answer/problem.js'
import { staticAddress, staticBytes } from '../platform/http/answer/static.js'
import type { Context } from '../platform/http/context.js'
import { type Description, describe } from '../platform/http/description/document.js'
import { answeredByHandler, file, page } from '../platform/http/route/answer.js'
import { type Route, route } from '../platform/http/route/route.js'
import { authorTag } from '../platform/http/session/csrf.js'
import { config } from '../platform/process/config.js'
import { locales } from '../text/index.js'
import { orNotFound } from '../vocabulary/validation.js'
import { apiContents } from './apiPage.js'

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
      ctx.state.isSameForEveryone = true
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

/** The document by itself; what is in it is OpenAPI's to say. */
const DescriptionJson = z
  .looseObject({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
  .meta({ id: 'Description' })

/**
 * GET /api/openapi.json, and /api for people: what all these routes say of themselves, put together
 * when first asked.
 */
export function descriptionRoutes(all: () => readonly Route[]): Route[] {
  let made: { description: Description; text: string; contents: ReturnType<typeof apiContents> } | undefined
  const kept = () => {
    if (made) return made
    const description = describe(all())
    made = { description, text: JSON.stringify(description), contents: apiContents(description) }
    return made
  }
  return [
    route({
      method: 'get',
      paths: '/api/openapi.json',
      group: 'operations',
      otherSites: true,
      summary: 'The OpenAPI document of this API.',
      permission: 'page.read',
      answer: DescriptionJson,
      handle: ({ ctx }) => {
        ctx.type = 'json'
        ctx.state.isSameForEveryone = true
        ctx.set('Cache-Control', 'private, no-cache')
        ctx.body = kept().text
        return answeredByHandler
      },
    }),

    route({
      method: 'get',
      paths: '/api',
      summary: 'The API documentation as a page.',
      permission: 'page.read',
      answer: DescriptionJson,
      handle: ({ ctx }) => {
        const { description, contents } = kept()
        const { text, locale } = ctx.state
        // The frame alone, around contents that are rendered already.
        const extras = async () => ({
          title: text.apiPage.title,
          styles: ['work.css'],
          body: contents(locale),
        })
        return { data: { ...description }, view: 'layout', extras }
      },
    }),
  ]
}

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

const textColours = ['ink', 'muted', 'accent', 'operational', 'maintenance', 'degraded', 'down']
const softColours = ['operational', 'maintenance', 'degraded', 'down']
const barColours = ['operational-bar', 'maintenance-bar', 'degraded-bar', 'down-bar', 'step']
const grounds = ['paper', 'card']

/**
 * The contrasts that are measured: a colour, what it lies on, and the least (WCAG 1.4.3 and
 * 1.4.11).
 */
const contrasts = [
  ...textColours.flatMap((name) => grounds.map((on) => ({ name, on, least: 4.5 }))),
  { name: 'on-accent', on: 'accent', least: 4.5 },
  ...softColours.map((name) => ({ name, on: `${name}-soft`, least: 4.5 })),
  ...barColours.flatMap((name) => grounds.map((on) => ({ name, on, least: 3 }))),
]

const spaces = ['s1', 's2', 's3', 's4', 's5', 's6', 's7']

/** The components of the pages side by side, for whoever changes them; not in production. */
export const designRoutes = [
  route({
    method: 'get',
    paths: '/admin/design',
    summary: 'Colours, type and components side by side. Not in production.',
    permission: 'office.read',
    answer: page,
    handle: () => {
      orNotFound(config.production ? null : true)
      return { view: 'app/design', extras: { colours: contrasts, spaces } }
    },
  }),
]
