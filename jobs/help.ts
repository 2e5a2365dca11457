import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** What each command says to `--help`. */
const usage: Record<string, string> = {
  admin: `npm run admin -- --email you@example.com [--name "Ada Admin"] [--password "…"]
  Creates the first admin, or makes the account with this address one.
npm run admin -- --email you@example.com [--reset-second-factor] [--unlink]
  Removes the account's second factor, or its links to a sign-in provider.
npm run admin -- --push-keys
  Prints a new pair of keys for notifications in browsers.`,
  backup: `npm run backup [-- FILE | FOLDER | -] [--keep N] [--to s3] [--without-photos]
  Writes the database and the photos into one archive: FILE, or a dated one in FOLDER.
  "-" is standard output. --keep N removes all but the newest N dated archives there. --to s3 moves the archive
  into the bucket of the S3_ variables, under backups/; FOLDER then only needs the room for it.`,
  buildings: `npm run buildings -- create | list | migrate | backup | run
  Manages several buildings on one database server. Without a command, says what each does.`,
  digest: `npm run digest
  Sends the weekly digest to the staff now. Prints how many emails.`,
  migrate: `npm run migrate
  Brings the database to the schema of this version. Prints the migrations that ran.`,
  move: `npm run move
  Moves the building of the private database to the one that DATABASE_URL names.`,
  photos: `npm run photos -- --to s3 | --to local | --adopt | --sweep
  Copies the photos to another store, makes a store this database's, or takes unused photos out of use.`,
  restore: `npm run restore -- FILE [--check]
  Puts a backup into an empty database and its photos into the photo store. --check only reads it.`,
  schema: `npm run schema [-- --check]
  Writes migrations/schema.sql, or checks that it is up to date.`,
  seed: `npm run seed
  Fills an empty database with the demo building. Refused in production.`,
  sending: `npm run sending [-- pause | resume]
  Prints whether emails, notifications and webhooks leave, and what waits; stops or resumes them.
npm run sending -- --test you@example.com
  Sends one test email and prints what the mail server answered.`,
  setup: `npm run setup [-- --url https://… --smtp-url smtps://… --mail-from "…" --server HOST:PORT] [--compose]
    [--folder FOLDER] [--database NAME] [--set NAME=value …]
  Asks for what is not given, writes caretaker.env and caretaker.owner.env with fresh secrets, and prints the SQL
  that makes the database and its two roles. --compose writes .env and caretaker.env for compose.yaml instead.
npm run setup -- --check [FILE …]
  Tries the database, the photo store and the mail server with these files, or with the environment.`,
  sweep: `npm run sweep
  Escalates incidents that no one has acknowledged in time. Prints them.`,
  tidy: `npm run tidy
  Deletes what is kept for a time only. Prints how much.`,
  worker: `npm run worker
  Runs the schedule and sends emails, notifications and webhooks, beside the web processes.`,
}

const command = path.basename(process.argv[1] ?? '').replace(/\.[jt]s$/, '')

// Imported first by every command, so that nothing else is read, connected or written.
if (
  isMainThread &&
  usage[command] &&
  process.argv.slice(2).some((word) => word === '--help' || word === '-h')
) {
  process.stdout.write(`${usage[command]}\n`)
  process.exit(0)
}
