import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** What each command says to `--help`. */
const usage: Record<string, string> = {
  admin: `npm run admin -- --email you@example.com [--name "Ada Admin"] [--password "…"]
  Creates the first admin, or makes an existing account an admin.
npm run admin -- --email you@example.com [--reset-second-factor] [--unlink]
  Resets the account's two-step sign-in, or removes its links to single sign-on.
npm run admin -- --push-keys
  Prints a new key pair for browser notifications.`,
  backup: `npm run backup [-- FILE | FOLDER | -] [--keep N] [--to s3] [--without-photos]
  Writes the database and the photos into one archive: FILE, or a dated one in FOLDER.
  "-" is standard output. --keep N removes all but the newest N dated archives there. --to s3 moves the archive
  into the bucket of the S3_ variables, under backups/; FOLDER then only needs the room for it.`,
  buildings: `npm run buildings -- create | list | migrate | backup | run
  Manages several buildings on one database server. Run without a command to see what each does.`,
  digest: `npm run digest
  Emails the weekly summary to staff now. Prints the number of emails.`,
  migrate: `npm run migrate
  Updates the database to the schema of this version. Prints the migrations that ran.`,
  move: `npm run move
  Moves the building from the private database to the one in DATABASE_URL.`,
  photos: `npm run photos -- --to s3 | --to local | --adopt | --sweep
  Copies photos to another store, assigns a store to this database, or removes unused photos.`,
  restore: `npm run restore -- FILE [--check]
  Restores a backup to an empty database and its photos to the photo store. --check only checks the backup.`,
  schema: `npm run schema [-- --check]
  Writes migrations/schema.sql, or checks that it is up to date.`,
  seed: `npm run seed
  Fills an empty database with the demo building. Refused in production.`,
  sending: `npm run sending [-- pause | resume]
  Prints whether emails, notifications and webhooks are sent, and how many are waiting. Pauses or resumes sending.
npm run sending -- --test you@example.com
  Sends one test email and prints what the mail server answered.`,
  setup: `npm run setup [-- --url https://… --smtp-url smtps://… --mail-from "…" --server HOST:PORT] [--compose]
    [--folder FOLDER] [--database NAME] [--set NAME=value …]
  Asks for what is not given, writes caretaker.env and caretaker.owner.env with fresh secrets, and prints the SQL
  that makes the database and its two roles. --compose writes .env and caretaker.env for compose.yaml instead.
npm run setup -- --check [FILE …]
  Tries the database, the photo store and the mail server with these files, or with the environment.`,
  sweep: `npm run sweep
  Escalates overdue reports that no one has acknowledged. Prints them.`,
  tidy: `npm run tidy
  Deletes expired data. Prints how much was deleted.`,
  worker: `npm run worker
  Runs scheduled jobs and sends emails, notifications and webhooks alongside the web processes.`,
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
