import { User } from '../accounts/users/user.js'
import type { Change } from '../platform/db/change.js'
import { isStaff, type Role } from '../vocabulary/people/permissions.js'
import type { RecognisedEmail } from './message.js'
import type { SenderStanding } from './senderStanding.js'

/** An account at the sender's address, which anyone can write into From. */
export type SenderAccount = { id: number; role: Role; isStaff: boolean }

/** Who sent an email: the account at its address, and what is known of the sender. */
export type KnownSender = { account: SenderAccount | null; standing: SenderStanding }

/** Without proof an account counts for nothing. */
export async function knownSender({ sender, proof }: RecognisedEmail): Promise<KnownSender> {
  const account = await accountAt(sender.address)
  if (proof !== 'pass') return { account, standing: 'unproven' }
  return { account, standing: account === null ? 'address' : 'account' }
}

/** The active account with this address; `trx`: of the change that asks. */
export async function accountAt(address: string | null, trx?: Change['trx']): Promise<SenderAccount | null> {
  if (address === null) return null
  const user = await User.query(trx).modify('atAddress', address).first()
  if (!user?.active || user.isMobileReporter) return null
  return { id: user.id, role: user.role, isStaff: isStaff(user.role) }
}
