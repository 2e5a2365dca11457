import { migrate } from '../src/migrate.js'
import { runJob } from './run.js'

/** `npm run migrate`: brings the database to this version's schema; the release step of a deployment. */
await runJob(async () => ({ migrated: await migrate() }))
