import { migrate } from '../src/migrate.js'
import { runFromCommandLine } from './run.js'

/** `npm run migrate`: brings the database to this version's schema; the release step of a deployment. */
await runFromCommandLine(async () => ({ migrated: await migrate() }))
