import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkout } from '../compiled.js'

/** A block of commands in a page, as a reader copies it, below the nearest heading. */
export type Block = { heading: string; text: string }

/**
 * The blocks of this language in a page of docs, in order. The indentation of a list is left out.
 */
export function blocksOf(page: string, language = 'sh'): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { indent: string; isWanted: boolean; lines: string[] } | null = null
  for (const line of readFileSync(path.join(checkout, 'docs', page), 'utf8').split('\n')) {
    const fence = /^( *)```(\w*)$/.exec(line)
    if (open && fence) {
      if (open.isWanted) blocks.push({ heading, text: `${open.lines.join('\n')}\n` })
      open = null
    } else if (open) open.lines.push(line.slice(open.indent.length))
    else if (fence) open = { indent: fence[1]!, isWanted: fence[2] === language, lines: [] }
    else heading = /^## (.*)$/.exec(line)?.[1] ?? heading
  }
  return blocks
}

/** The only block that has these words. Throws when it is not the only one. */
export function blockWith(blocks: Block[], words: string): string {
  const found = blocks.filter(({ text }) => text.includes(words))
  if (found.length !== 1) throw new Error(`${found.length} blocks have: ${words}`)
  return found[0]!.text
}

/** Writes programs of these names, each a shell script, into a folder, which it returns. */
export function standIns(folder: string, scripts: Record<string, string>): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\nset -eu\n${script}`)
    chmodSync(path.join(folder, name), 0o755)
  }
  return folder
}

/** What cron makes of a crontab, as crontab(5) says. */
export type CronJob = { fields: string[]; command: string; input: string; env: Record<string, string> }

/**
 * The jobs of a crontab. A `%` without a backslash ends the command, and what follows it is the
 * input of the command. Throws when a line is neither a setting nor begins with five time fields.
 */
export function cronJobs(crontab: string): CronJob[] {
  const env: Record<string, string> = {}
  const jobs: CronJob[] = []
  for (const line of crontab.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, value] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? []
    if (name) {
      env[name] = value!
      continue
    }
    const [, times, rest] = /^((?:[\d*,/-]+\s+){5})(.*)$/.exec(line) ?? []
    if (!times) throw new Error(`bad minute: ${line}`)
    const [command = '', ...input] = rest!.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'))
    jobs.push({ fields: times.trim().split(/\s+/), command, input: input.join('\n'), env: { ...env } })
  }
  return jobs
}
