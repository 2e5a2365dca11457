import { query } from '../platform/db/database.js'
import { limitConcurrency } from '../platform/process/limitConcurrency.js'
import type { Actor } from '../vocabulary/people/actor.js'
import type { InboundText, ReadEmail } from './message.js'
import { openAttachedEmails } from './parse/openAttachedEmails.js'
import { type RecognitionSettings, recognise } from './recognise.js'
import { type EmailAnswer, earlierAnswer, emailIdentity } from './repetitions.js'
import { store } from './store.js'

/** An email waiting for its turn holds a connection: a burst of emails must not use up the pool. */
const fewAtOnce = limitConcurrency({ atOnce: 4, waiting: 200 })

/**
 * Receives an email that was read (spec §4 rule 5, decision 4.5): recognises it, and has `store`
 * decide about it (`decide.ts`) and do that. A repetition gets the first outcome. Throws what
 * `store` throws.
 */
export function receiveEmail(
  actor: Actor,
  read: ReadEmail,
  settings: RecognitionSettings,
  t: InboundText,
): Promise<EmailAnswer> {
  return fewAtOnce(async () => {
    const email = await openAttachedEmails(read)
    const recognised = await recognise(email, settings)
    const identity = await emailIdentity(email, recognised)
    const earlier = await earlierAnswer(query, identity)
    return earlier ?? store(actor, { recognised, files: email.files, identity }, t)
  })
}
