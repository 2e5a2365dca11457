import type { Reporter } from 'vitest/node'
import { chromiumPath, lynx, nginx, pgbouncer, w3m, withoutBrowser, withoutParts } from '../host/programs.js'

const without = (program: string | undefined) => !program && !process.env.REQUIRE_BROWSER

/**
 * Says at the end of a run which tests were left out because this machine has
 * not the programs they use.
 */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(): void {
    const missing = [
      ...(withoutBrowser && !chromiumPath
        ? ['the browser tests (no Chromium; CHROMIUM_PATH names one)']
        : []),
      ...(without(lynx) || without(w3m) ? ['the tests of text browsers (no lynx or no w3m)'] : []),
      ...(withoutParts && !nginx ? ['the tests behind a proxy (no nginx)'] : []),
      ...(withoutParts && !pgbouncer ? ['the tests behind a connection pooler (no PgBouncer)'] : []),
    ]
    if (missing.length > 0) process.stdout.write(`\nLeft out on this machine:\n  ${missing.join('\n  ')}\n`)
  }
}
