import path from 'node:path'
import { isMainThread } from 'node:worker_threads'
import {
  type CommandLine,
  type GivenArguments,
  readCommandLine,
  refuseCommandLine,
} from '../../src/platform/process/commandLine.js'
import { addressPattern } from '../../src/vocabulary/inputRules.js'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Whether an argument is an email address that the office's forms take as well. */
const isAddress = (argument: unknown) => addressPattern.test(String(argument ?? '').trim())

/**
 * Commands that work on one building of many. Commands that only a private database has are not
 * among them.
 */
const commandsOfOneBuilding = [
  'admin',
  'backup',
  'digest',
  'migrate',
  'photos',
  'restore',
  'sending',
  'sweep',
  'tidy',
] as const

/** What each command takes, and what it says to `--help`. */
const commands = {
  admin: {
    usage: `npm run admin -- --email you@example.com [--name "Ada Admin"] [--password "…"]
  Creates the first admin, or makes an existing account an admin.
npm run admin -- --email you@example.com [--reset-second-factor] [--unlink]
  Resets the account's two-step sign-in, or removes its links to single sign-on.
npm run admin -- --push-keys
  Prints a new key pair for browser notifications.`,
    options: {
      email: text,
      name: text,
      password: text,
      'reset-second-factor': flag,
      unlink: flag,
      'push-keys': flag,
    },
    problemWith: ({ values }) =>
      values['push-keys'] || isAddress(values.email)
        ? null
        : 'Enter an email address: npm run admin -- --email you@example.com',
  },
  backup: {
    usage: `npm run backup [-- FILE | FOLDER | -] [--keep N] [--to s3] [--without-photos]
  Writes the database and the photos into one archive: FILE, or a dated one in FOLDER.
  "-" is standard output. --keep N removes all but the newest N dated archives there. --to s3 moves the archive
  into the bucket of the S3_ variables, under backups/; FOLDER then only needs the room for it.`,
    options: { 'without-photos': flag, keep: text, to: text },
    most: 1,
    problemWith: backupProblem,
  },
  buildings: {
    usage: `npm run buildings -- create NAME --url https://HOST --admin EMAIL
  Creates a building, or finishes creating it.
npm run buildings -- list
  Shows each building's database, schema, size and last job times.
npm run buildings -- migrate
  Migrates all buildings, one after another.
npm run buildings -- backup --to FOLDER
  Backs up each building.
npm run buildings -- run NAME COMMAND …
  Runs a command in one building: ${commandsOfOneBuilding.join(', ')}.`,
  },
  digest: {
    usage: `npm run digest
  Emails the weekly summary to staff now. Prints the number of emails.`,
  },
  migrate: {
    usage: `npm run migrate
  Updates the database to the schema of this version. Prints the migrations that ran.`,
  },
  move: {
    usage: `npm run move
  Moves the building from the private database to the one in DATABASE_URL.`,
  },
  photos: {
    usage: `npm run photos -- --to s3 | --to local | --adopt | --sweep
  Copies photos to another store, assigns a store to this database, or removes unused photos.`,
    options: { to: text, adopt: flag, sweep: flag },
    problemWith: ({ values }) => {
      if (Object.keys(values).length !== 1) return 'Choose one: --to s3, --to local, --adopt or --sweep.'
      return values.to === undefined || values.to === 's3' || values.to === 'local'
        ? null
        : '--to: s3 or local'
    },
  },
  restore: {
    usage: `npm run restore -- FILE [--check]
  Restores a backup to an empty database and its photos to the photo store. --check only checks the backup.`,
    options: { check: flag },
    most: 1,
    problemWith: ({ positionals: [file] }) =>
      file && file !== '-' ? null : 'Enter a file: npm run restore -- FILE',
  },
  schema: {
    usage: `npm run schema [-- --check]
  Writes migrations/schema.sql, or checks that it is up to date.`,
    options: { check: flag },
  },
  seed: {
    usage: `npm run seed
  Fills an empty database with the demo building. Refused in production.`,
  },
  sending: {
    usage: `npm run sending [-- pause | resume]
  Prints whether emails, notifications and webhooks are sent, and how many are waiting. Pauses or resumes sending.
npm run sending -- --test you@example.com
  Sends one test email and prints what the mail server answered.`,
    options: { test: text },
    most: 1,
    problemWith: ({ values, positionals: [word] }) => {
      if (word !== undefined && values.test !== undefined) return `--test and ${word} do not go together.`
      if (values.test !== undefined && !isAddress(values.test))
        return 'Enter an address: npm run sending -- --test you@example.com'
      return word === undefined || word === 'pause' || word === 'resume'
        ? null
        : `Sending cannot ${word}. Use npm run sending, npm run sending -- pause, or npm run sending -- resume`
    },
  },
  setup: {
    usage: `npm run setup [-- --url https://… --smtp-url smtps://… --mail-from "…" --server HOST:PORT] [--compose]
    [--folder FOLDER] [--database NAME] [--set NAME=value …]
  Asks for what is not given, writes caretaker.env and caretaker.owner.env with fresh secrets, and prints the SQL
  that makes the database and its two roles. --compose writes .env and caretaker.env for compose.yaml instead.
npm run setup -- --check [FILE …]
  Tries the database, the photo store and the mail server with these files, or with the environment.`,
    options: {
      check: { type: 'boolean', default: false },
      url: text,
      'smtp-url': text,
      'mail-from': text,
      server: text,
      database: { type: 'string', default: 'caretaker' },
      compose: { type: 'boolean', default: false },
      folder: { type: 'string', default: '.' },
      set: { type: 'string', multiple: true, default: [] },
    },
    most: Number.POSITIVE_INFINITY,
    problemWith: ({ values, positionals: [file] }) =>
      values.check || file === undefined ? null : `Only --check takes files. What is ${file}?`,
  },
  sweep: {
    usage: `npm run sweep
  Escalates overdue reports that no one has acknowledged. Prints them.`,
  },
  tidy: {
    usage: `npm run tidy
  Deletes expired data. Prints how much was deleted.`,
  },
  worker: {
    usage: `npm run worker
  Runs scheduled jobs and sends emails, notifications and webhooks alongside the web processes.`,
  },
} satisfies Record<string, CommandLine>

type CommandName = keyof typeof commands

const usage = commands.buildings.usage
/** What each command of `npm run buildings` takes after its name, but for `run`. */
const buildingsCommands = {
  create: {
    usage,
    options: { url: text, admin: text },
    most: 1,
    problemWith: ({ values, positionals: [name] }) => {
      if (!name) return 'Enter a name: npm run buildings -- create NAME --url https://HOST --admin EMAIL'
      if (!values.url) return 'Enter the address people use: --url https://HOST'
      return isAddress(values.admin) ? null : 'Enter the email address of the first admin: --admin EMAIL'
    },
  },
  list: { usage },
  migrate: { usage },
  backup: {
    usage,
    options: { to: text },
    problemWith: ({ values }) =>
      values.to ? null : 'Enter a folder: npm run buildings -- backup --to FOLDER',
  },
} satisfies Record<string, CommandLine>

/** The arguments of `npm run NAME`. Ends the process when they are wrong or ask for help. */
export function argumentsOf<Name extends CommandName>(name: Name) {
  return readCommandLine<(typeof commands)[Name]>(commands[name])
}

/** The arguments of `npm run buildings -- NAME`, after the name. */
export function argumentsOfBuildings<Name extends keyof typeof buildingsCommands>(name: Name) {
  return readCommandLine<(typeof buildingsCommands)[Name]>(buildingsCommands[name], process.argv.slice(3))
}

function backupProblem({ values: { keep, to }, positionals: [target] }: GivenArguments): string | null {
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(String(keep)))
    return '--keep: how many archives stay, such as --keep 14'
  if (keep !== undefined && target === '-') return '--keep needs a folder or --to s3, not standard output.'
  if (to !== undefined && to !== 's3') return '--to: s3, the bucket of the S3_ variables'
  return to !== undefined && target === '-' ? '--to s3 and "-" do not go together.' : null
}

/**
 * The command that is run inside one building checks its own arguments here, before anything is
 * read.
 */
function checkBuildings([word = '', ...rest]: string[]): void {
  if (['--help', '-h'].includes(word)) readCommandLine(commands.buildings)
  if (Object.hasOwn(buildingsCommands, word)) {
    argumentsOfBuildings(word as keyof typeof buildingsCommands)
    return
  }
  if (word === '') refuseCommandLine('Say which: create, list, migrate, backup or run.', usage)
  if (word !== 'run') refuseCommandLine(`There is no command ${word}.`, usage)
  const [name = '', command = '', ...args] = rest
  if (['--help', '-h'].includes(name) || ['--help', '-h'].includes(command))
    readCommandLine(commands.buildings)
  if (!/^[^-]/.test(name)) refuseCommandLine('Enter a name: npm run buildings -- run NAME COMMAND', usage)
  const commandName = commandsOfOneBuilding.find((each) => each === command)
  if (!commandName)
    refuseCommandLine(
      `${command ? `There is no command ${command} here.` : 'Enter a command.'} Commands: ${commandsOfOneBuilding.join(', ')}`,
      usage,
    )
  readCommandLine(commands[commandName], args)
}

// Imported first by every command, so that wrong arguments are refused before anything is read,
// connected or written.
const command = path.basename(process.argv[1] ?? '').replace(/\.[jt]s$/, '')
if (isMainThread && Object.hasOwn(commands, command)) {
  if (command === 'buildings') checkBuildings(process.argv.slice(2))
  else argumentsOf(command as CommandName)
}
