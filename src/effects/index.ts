import type { Actor } from '../domain/actor.js'
import type { Happening } from '../domain/events.js'
import type { Statement } from './statement.js'
import { webhookDeliveries } from './webhooks.js'

/** Who is told what: every happening, turned into outbox rows of its own transaction. */
export function statementsFor(happening: Happening, _actor: Actor, now: Date): Statement[] {
  return [webhookDeliveries(happening, now)]
}
