import { page } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { config } from '../platform/process/config.js'
import { orNotFound } from '../vocabulary/validation.js'

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
