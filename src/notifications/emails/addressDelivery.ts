import type { DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Email } from '../../vocabulary/email/email.js'
import { allowMail, findMailFollower, type MailFollower, nameMail } from '../follow/followerQueries.js'
import type { EmailKind } from './kind.js'
import { readerByAddress } from './reader.js'
import { messageName, renderEmail } from './renderedEmail.js'
import { dropped, stillFollowed } from './suppression.js'

/** Called when a person's server refused an email for good. */
export type Refused = (mailFollowerId: number) => Promise<void>

/** Code in the outbox for an email kept by the limits of decision 7.4. */
const overLimit = 'over the limit'

/**
 * Renders the email of an outbox row for a person without an account, within the limits of decision
 * 7.4, and passes it to `send`.
 */
export async function deliverToAddress(
  kind: EmailKind,
  row: OutboxMessage,
  { send, refused }: { send: (letter: Email) => Promise<DeliveryOutcome>; refused: Refused },
): Promise<DeliveryOutcome> {
  const person = await findMailFollower(row.mailFollowerId!)
  const obstacle = person ? obstacleFor(person, kind) : 'no recipient'
  if (!person || obstacle) return dropped(obstacle ?? 'no recipient')
  const wanted = kind.for === 'followers' ? await stillFollowed({ mailFollowerId: person.id }, row) : row
  if (!wanted) return dropped('not followed')
  const { network } = row.payload
  const allowed = await allowMail(
    person,
    kind.budget ?? 'acknowledgement',
    typeof network === 'string' ? network : null,
  )
  if ('wait' in allowed)
    return { as: 'heldBack', why: overLimit, seconds: kind.overLimit === 'drop' ? 'dropped' : allowed.wait }
  const outcome = await rendered(kind, wanted, person, send).catch(async (error: unknown) => {
    await allowed.takeBack()
    throw error
  })
  if (outcome.as !== 'sent') await allowed.takeBack()
  if (outcome.as === 'failed') await refused(person.id)
  return outcome
}

async function rendered(
  kind: EmailKind,
  row: OutboxMessage,
  person: MailFollower,
  send: (letter: Email) => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  const reader = await readerByAddress(person)
  const content = await kind.tell(reader, row)
  if (!content) return dropped('no incident')
  await nameMail(row.id, messageName(row))
  return send(await renderEmail(content, reader, row))
}

function obstacleFor(person: MailFollower, kind: EmailKind): string | null {
  if (person.stopped === 'refused') return 'address stopped'
  if (kind.for === 'themselves' && !kind.toAddresses) return 'not for addresses'
  if (kind.for === 'staff' || kind.for === 'contact') return 'not for addresses'
  if (kind.budget === 'confirmation') return null
  if (person.stopped) return 'not wanted'
  return kind.budget || person.clicked ? null : 'not confirmed'
}
