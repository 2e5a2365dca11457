import type { Reporter } from 'vitest/node'
import { chromiumPath, lynx, nginx, pgbouncer, w3m } from '../host/programs.js'

/** A program that tests use and a machine need not have. */
type Program = {
  name: string
  /** Where this machine has it. */
  path: string | undefined
  /** The tests that are left out without it. */
  tests: string
  /** What Debian and Homebrew call it. */
  debian: string
  homebrew: string
  /** What makes its tests fail instead. */
  requiredBy: 'REQUIRE_BROWSER' | 'REQUIRE_HOST'
}

const textBrowsers = 'the tests of text browsers'
const browser = { requiredBy: 'REQUIRE_BROWSER' } as const
const host = { requiredBy: 'REQUIRE_HOST' } as const
const programs: Program[] = [
  {
    name: 'Chromium',
    path: chromiumPath,
    tests: 'the browser tests; CHROMIUM_PATH names one elsewhere',
    debian: 'chromium',
    homebrew: '--cask chromium',
    ...browser,
  },
  { name: 'lynx', path: lynx, tests: textBrowsers, debian: 'lynx', homebrew: 'lynx', ...browser },
  { name: 'w3m', path: w3m, tests: textBrowsers, debian: 'w3m', homebrew: 'w3m', ...browser },
  {
    name: 'nginx',
    path: nginx,
    tests: 'the tests behind a proxy',
    debian: 'nginx-light',
    homebrew: 'nginx',
    ...host,
  },
  {
    name: 'PgBouncer',
    path: pgbouncer,
    tests: 'the tests behind a connection pooler',
    debian: 'pgbouncer',
    homebrew: 'pgbouncer',
    ...host,
  },
]

/**
 * Which tests a machine without some programs leaves out, and how to get these; empty where none
 * is left out.
 */
export function leftOut(
  environment: NodeJS.ProcessEnv,
  hasProgram: (name: string) => boolean = (name) => programs.some((each) => each.name === name && each.path),
): string {
  const missing = programs.filter(({ name, requiredBy }) => !hasProgram(name) && !environment[requiredBy])
  if (missing.length === 0) return ''
  const lines = missing.map(({ name, tests }) => `  without ${name}: ${tests}\n`)
  const debian = missing.map((each) => each.debian).join(' ')
  const homebrew = missing.map((each) => `brew install ${each.homebrew}`).join(' && ')
  return [
    '\nLeft out on this machine:\n',
    ...lines,
    `Debian and Ubuntu have them by: apt-get install ${debian}\n`,
    `macOS has them by: ${homebrew}\n`,
  ].join('')
}

/** Says at the end of a run which tests this machine left out, and how to have them run. */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(): void {
    process.stdout.write(leftOut(process.env))
  }
}
