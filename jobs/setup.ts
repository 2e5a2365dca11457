// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { envText } from '../src/operations/envFile.js'
import { newSettings, problemsOf, type SetupAnswers } from '../src/operations/newSettings.js'
import { argumentsOf } from './support/commandLine.js'

/**
 * `npm run setup`: asks, writes the settings of a new building with fresh secrets, and prints the
 * SQL of its roles; `-- --check FILE …` tries them. The configuration is not loaded before they are
 * there to be read.
 */
const { values, positionals } = argumentsOf('setup')
const say = (line: string) => process.stderr.write(`${line}\n`)

try {
  if (!values.check) await write()
  else if (positionals.length > 0) process.exitCode = checkFiles(positionals)
  else await check()
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}

async function write(): Promise<void> {
  const answers = await askForAnswers()
  const problems = problemsOf(answers)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const { files, sql } = newSettings(answers)
  const settingsFiles = Object.entries(files).map(([name, made]) => ({
    file: path.resolve(values.folder, name),
    ...made,
  }))
  const there = settingsFiles.find(({ file }) => existsSync(file))
  if (there)
    throw new Error(
      `${there.file} is there already, and its secrets may be in use: nothing was written. If its database was never made, delete it and run this again.`,
    )
  for (const { file, note, settings } of settingsFiles) {
    writeFileSync(file, envText(note, settings), { mode: 0o600, flag: 'wx' })
    say(`Written: ${file}`)
  }
  if (!sql) {
    say('Next: docker compose up -d')
    return
  }
  say(
    'Next: run this SQL as a superuser of PostgreSQL. It is on standard output, so that it can be piped to psql.',
  )
  // psql that could not connect.
  process.stdout.on('error', () => {
    say(
      `No one has read the SQL. Delete ${settingsFiles.map(({ file }) => file).join(' and ')}, and run this again.`,
    )
    process.exitCode = 1
  })
  process.stdout.write(sql)
  say(
    `Then:  npm run migrate, and npm run setup -- --check ${settingsFiles.map(({ file }) => file).join(' ')}`,
  )
}

/** Options, and for what they leave out questions, where there is someone to answer. */
async function askForAnswers(): Promise<SetupAnswers> {
  const prompt = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: process.stderr })
    : null
  const answerTo = async (question: string, option: string | undefined, usual = '') =>
    option ?? ((await prompt?.question(question))?.trim() || usual)
  const local = '127.0.0.1:5432'
  const answers = {
    url: await answerTo('The address people will type (https://status.example): ', values.url),
    smtpUrl: await answerTo('Your mail server (smtps://user:password@mail.example): ', values['smtp-url']),
    sender: await answerTo(
      'The sender of emails (Our building <office@status.example>): ',
      values['mail-from'],
    ),
    server: values.compose
      ? 'db:5432'
      : await answerTo(`Host and port of PostgreSQL [${local}]: `, values.server, local),
  }
  prompt?.close()
  return {
    ...answers,
    database: databaseName(values.database),
    compose: values.compose,
    more: Object.fromEntries(values.set.map(oneSetting)),
  }
}

function databaseName(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name))
    throw new Error('--database: small letters, digits and _, such as caretaker')
  return name
}

function oneSetting(assignment: string): [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(assignment) ?? []
  if (!name)
    throw new Error(`--set: NAME=value, such as --set S3_BUCKET=photos, and not ${assignment.split('=')[0]}`)
  return [name, value!]
}

/** In a process of its own, which knows these files and nothing of this environment. */
function checkFiles(files: string[]): number {
  const settings = Object.assign({}, ...files.map((file) => parseEnv(readFileSync(file, 'utf8'))))
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--check'], {
    env: { NODE_ENV: 'production', ...settings },
    stdio: 'inherit',
  })
  return status ?? 1
}

async function check(): Promise<void> {
  const { checkSettings } = await import('../src/operations/checkSettings.js')
  for (const { what, problem, skippedBecause } of await checkSettings()) {
    const fine = skippedBecause ? '-' : 'ok'
    process.stdout.write(`${problem ? 'WRONG' : fine}\t${what}\t${problem ?? skippedBecause ?? ''}\n`)
    if (problem) process.exitCode = 1
  }
}
