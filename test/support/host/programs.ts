import { existsSync } from 'node:fs'
import path from 'node:path'

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']
const find = (program: string) =>
  folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file))

/** Where this machine has the programs that some tests use; undefined when it has none. */
export const nginx = find('nginx')
export const pgbouncer = find('pgbouncer')
export const lynx = find('lynx')
export const w3m = find('w3m')
export const chromiumPath =
  [process.env.CHROMIUM_PATH].find((file) => file && existsSync(file)) ??
  ['chromium', 'chromium-browser', 'google-chrome'].map(find).find(Boolean)

/** A newcomer's machine need not have them: their tests are left out there. CI insists on them. */
export const withoutParts = !(nginx && pgbouncer) && !process.env.REQUIRE_HOST
export const withoutBrowser = !chromiumPath && !process.env.REQUIRE_BROWSER
