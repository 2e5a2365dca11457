import {
  type Count,
  type Counter,
  countAttempt,
  type Limit,
  uncountAttempt,
} from '../../platform/http/protection/actCounters.js'
import { config } from '../../platform/process/config.js'
import {
  type EmailBudget,
  type LimitName,
  quietSites,
  strangerEmails,
} from '../../vocabulary/countedLimits.js'
import { domainOf } from '../../vocabulary/email/mailbox.js'
import type { EmailFollower } from '../follow/followQueries.js'

const perDay: Limit = { name: 'stranger-mails', points: strangerEmails.perDay, seconds: 86_400 }

/** Of these, what emails can spend that are not proven, and what one site can ask for. */
const unprovenPerDay: Limit = {
  ...perDay,
  name: 'stranger-mails-unproven',
  points: strangerEmails.unprovenPerDay,
}
const perDayOfSite: Limit = { ...perDay, name: 'stranger-mails-site', points: strangerEmails.perSite }

/** A share of what strangers are sent of a budget in an hour. */
function shareOf(name: LimitName, budget: EmailBudget, share: number): Limit {
  return { name, points: Math.floor(strangerEmails.perHour[budget] * share), seconds: 3_600 }
}

/**
 * How a budget is shared, in the order in which the shares are counted. `onlyBusy`: what networks
 * that have got their first few can spend of it, and forged emails.
 */
const shares = [
  {
    name: 'emails-domain-busy',
    of: 'domain',
    share: strangerEmails.share * quietSites.busyShare,
    onlyBusy: true,
  },
  { name: 'emails-domain', of: 'domain', share: strangerEmails.share, onlyBusy: false },
  { name: 'emails-busy', of: 'all', share: quietSites.busyShare, onlyBusy: true },
  { name: 'emails', of: 'all', share: 1, onlyBusy: false },
] as const

/** The counters of a budget's shares. */
function shareCounters(budget: EmailBudget, domain: string, isBusy: boolean): Counter[] {
  return shares
    .filter(({ onlyBusy }) => isBusy || !onlyBusy)
    .map(({ name, of, share }) => ({
      limit: shareOf(`${budget}-${name}`, budget, share),
      who: of === 'domain' ? domain : 'all',
    }))
}

const domainShare = shareOf('confirmation-emails-domain', 'confirmation', strangerEmails.share)

/** No network spends more than a domain may, either; less where the operator says so. */
const perNetwork: Limit = {
  name: 'confirmation-emails-network',
  points: Math.min(domainShare.points, config.throttles.follows || Number.POSITIVE_INFINITY),
  seconds: 3_600,
}

/** Why there is an email: who asked for it (see `siteTag`), or which email it answers. */
type EmailOccasion = { network: string | null; isProven: boolean }

/** An email that may be sent; `takeBack` uncounts it when it was not. */
type Allowance = { takeBack: () => Promise<void> }

/**
 * Counts an email to a person who has pressed no button of ours yet (decision 7.4). Above a limit:
 * the seconds to wait, and nothing is counted. No domain, and no network that asks for
 * confirmations (`network`, see `siteTag`), can spend more than its share of a budget. Half of the
 * budget and of each domain's share is kept for networks that have got fewer than three, and for
 * answers to emails that are proven: a few networks, or forged emails, with any number of domains
 * leave room for everyone else (decision 9.10).
 */
export async function allowEmail(
  { id, address, hasClicked }: EmailFollower,
  budget: EmailBudget,
  { network, isProven }: EmailOccasion,
): Promise<Allowance | { wait: number }> {
  if (hasClicked) return { takeBack: async () => {} }
  const networkCounts = await countAll(networkCounters(budget, network, { id, isProven }))
  if ('wait' in networkCounts) return networkCounts
  const isBusy =
    budget === 'acknowledgement'
      ? !isProven
      : networkCounts.counts.some(({ limit, points }) => limit === perNetwork && points > quietSites.most)
  const ofPerson = { limit: perDay, who: String(id) }
  const sharedCounts = await countAll([ofPerson, ...shareCounters(budget, domainOf(address), isBusy)])
  if ('wait' in sharedCounts) {
    await uncountAttempt(networkCounts.counts)
    return sharedCounts
  }
  return { takeBack: () => uncountAttempt([...networkCounts.counts, ...sharedCounts.counts]) }
}

/** The counters of this network, or of emails that only say that they come from the address. */
function networkCounters(
  budget: EmailBudget,
  network: string | null,
  { id, isProven }: { id: number; isProven: boolean },
): Counter[] {
  if (budget === 'acknowledgement') return isProven ? [] : [{ limit: unprovenPerDay, who: String(id) }]
  if (network === null) return []
  return [
    { limit: perNetwork, who: network },
    { limit: perDayOfSite, who: `${id} ${network}` },
  ]
}

/** Counts by all of these, or by none when one of them is spent: then the seconds to wait. */
async function countAll(counters: Counter[]): Promise<{ counts: Count[] } | { wait: number }> {
  if (counters.length === 0) return { counts: [] }
  const counts = await countAttempt(counters)
  const spent = counts.find(({ points, limit }) => points > limit.points)
  if (!spent) return { counts }
  await uncountAttempt(counts.filter((count) => count !== spent))
  return { wait: spent.wait }
}
