import { existsSync } from 'node:fs'
import path from 'node:path'

const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']
const find = (program: string) =>
  folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file))

/** Where this machine has them; undefined when it has none. */
export const nginx = find('nginx')
export const pgbouncer = find('pgbouncer')

/** A newcomer's machine need not have nginx and PgBouncer: tests with them are left out there. CI insists on them. */
export const withoutParts = !(nginx && pgbouncer) && !process.env.REQUIRE_HOST
