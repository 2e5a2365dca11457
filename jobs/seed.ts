// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { seedDemo } from '../src/demo/seed.js'
import { config } from '../src/platform/process/config.js'
import { runAsProcess } from './support/runJob.js'

/** `npm run seed`: fills an empty database with the demo; refused in production (decision 5.4). */
await runAsProcess(async () => {
  if (config.production) throw new Error('You can’t add the demo building when NODE_ENV is production.')
  return { seeded: await seedDemo() }
})
