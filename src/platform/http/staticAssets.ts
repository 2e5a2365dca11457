import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rootDir } from '../process/config.js'

type StaticAsset = { bytes: Buffer; type: string }

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}
const folder = path.join(rootDir, 'static')
const require = createRequire(import.meta.url)

/**
 * The parts of every style sheet and worker, in order: `site` is small and on every page, others
 * are where they are needed. `workerOff` takes the worker's place to end it (decision 7.29).
 */
const bundles: Record<string, string[]> = JSON.parse(read('bundles.json').toString())

const assets = new Map<string, StaticAsset>()
const addresses = new Map<string, string>()

for (const [name, parts] of Object.entries(bundles)) {
  const whole = parts.map((part) => read(part).toString()).join('\n')
  add(name, Buffer.from(path.extname(name) === '.css' ? minified(whole) : whole))
}
add('htmx.js', readFileSync(require.resolve('htmx.org/dist/htmx.min.js')))
for (const file of readdirSync(folder)) if (path.extname(file) in types) add(file, read(file))

/** A static file's address with its content's hash, cached for ever. Throws for an unknown name. */
export function staticAddress(name: string): string {
  const address = addresses.get(name)
  if (!address) throw new Error(`no static file ${name}`)
  return address
}

/** A static file's content, for an address without a hash. Throws for an unknown name. */
export function staticBytes(name: string): Buffer {
  return assets.get(staticAddress(name))!.bytes
}

/** The file at a path with its content's hash, such as `/static/app.0123456789ab.js`. */
export function staticAssetAt(address: string): StaticAsset | undefined {
  return assets.get(address)
}

function read(file: string): Buffer {
  return readFileSync(path.join(folder, file))
}

function add(name: string, bytes: Buffer): void {
  const { name: stem, ext } = path.parse(name)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const address = `/static/${stem}.${hash}${ext}`
  addresses.set(name, address)
  assets.set(address, { bytes, type: types[ext]! })
}

/** A style sheet without comments and indentation; quoted strings stay as they are. */
export function minified(css: string): string {
  return css
    .replace(/("(?:\\.|[^"\\])*")|\/\*[\s\S]*?\*\//g, (_found, text = '') => text)
    .split(/("(?:\\.|[^"\\])*")/)
    .map((part, i) => (i % 2 === 1 ? part : withoutBlanks(part)))
    .join('')
    .trim()
}

function withoutBlanks(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
}
