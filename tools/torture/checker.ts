import type { Query } from '../../src/platform/db/database.js'
import type { Received } from '../../test/support/webhooks/receiver.js'
import { impactLifeFaults } from './checks/impactLives.js'
import { orphanFaults, photoFaults } from './checks/photos.js'
import { type ArrivedEmail, emailFaults, webhookFaults } from './checks/sent.js'
import { type Shown, statusFaults } from './checks/status.js'
import { answerFaults, storedFaults } from './checks/stored.js'
import { tableFaults } from './checks/tables.js'
import { timelineFaults } from './checks/timelines.js'
import type { Operation } from './history.js'

/** Everything a run left: the answers clients got, what is stored, and what receivers got. */
export type Evidence = {
  query: Query
  operations: readonly Operation[]
  /** The folder of the local photo store, tidied. */
  photoDir: string
  received: readonly Pick<Received, 'id' | 'raw' | 'verified'>[]
  emails: readonly ArrivedEmail[]
  shown: readonly Shown[]
}

/** Every violation of what the program promises; none when it kept its word whatever broke. */
export async function violations(evidence: Evidence): Promise<string[]> {
  const { query, operations, photoDir, received, emails, shown } = evidence
  return [
    ...answerFaults(operations),
    ...(await storedFaults(query, operations)),
    ...(await tableFaults(query)),
    ...(await timelineFaults(query, operations)),
    ...(await impactLifeFaults(query)),
    ...(await photoFaults(query, photoDir)),
    ...(await orphanFaults(query, photoDir)),
    ...(await webhookFaults(query, received)),
    ...(await emailFaults(query, emails, { mayRepeat: true })),
    ...(await statusFaults(query, shown)),
  ]
}
