import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { built, checkout } from '../compiled.js'

const run = promisify(execFile)

type Step = { word: string; rest: string }

/** The instructions of a Dockerfile, in order. */
export function stepsOf(dockerfile: string): Step[] {
  return dockerfile
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
}

/**
 * Follows a Dockerfile without an engine: each stage is a folder under `folder`. What is installed
 * there already is linked instead of downloaded, and accounts of the image's system are left out.
 * Returns the last stage's work folder.
 */
export async function inPlainFolder(steps: Step[], folder: string): Promise<string> {
  const dist = await built()
  const rootOf = (stage: string) => path.join(folder, stage)
  let root = ''
  let cwd = ''
  const commands: Record<string, () => unknown> = {
    'npm ci': () => symlinkSync(path.join(checkout, 'node_modules'), path.join(cwd, 'node_modules')),
    'npm run build': () => {
      // What is compiled already need not be compiled twice.
      cpSync(dist, path.join(cwd, 'dist'), { recursive: true })
      return run('npm', ['run', 'build'], { cwd })
    },
    'npm ci --omit=dev': () => installForProduction(cwd),
  }
  const words: Record<string, (rest: string) => unknown> = {
    FROM: (rest) => {
      root = rootOf(/ AS (\w+)$/.exec(rest)?.[1] ?? 'image')
      cwd = root
    },
    WORKDIR: (rest) => {
      cwd = path.join(root, rest)
      mkdirSync(cwd, { recursive: true })
    },
    COPY: (rest) => {
      const [, stage, named = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)!
      const files = named.split(' ')
      const last = files.pop()!
      const to = path.join(cwd, last)
      for (const file of files) {
        const from = stage ? path.join(rootOf(stage), file) : path.join(checkout, file)
        const target = last.endsWith('/') ? path.join(to, path.basename(file)) : to
        cpSync(from, target, { recursive: true, verbatimSymlinks: true })
      }
    },
    RUN: (rest) => {
      if (rest.startsWith('install -d -o node ')) return
      const command = commands[rest]
      if (!command) throw new Error(`Nothing stands for: ${rest}`)
      return command()
    },
  }
  for (const { word, rest } of steps) await words[word]?.(rest)
  return cwd
}

/**
 * Links the packages that are no development dependencies, as the lock file says, and no others.
 */
export function installForProduction(cwd: string): void {
  const modules = path.join(cwd, 'node_modules')
  rmSync(modules, { force: true })
  const lock = JSON.parse(readFileSync(path.join(checkout, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<{ dev?: boolean; devOptional?: boolean }>(lock.packages)
  for (const [name, { dev, devOptional }] of packages) {
    const [, topLevel] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(name) ?? []
    const from = path.join(checkout, name)
    if (!topLevel || dev || devOptional || !existsSync(from)) continue
    const to = path.join(modules, topLevel)
    mkdirSync(path.dirname(to), { recursive: true })
    symlinkSync(from, to)
  }
}
