import type { Severity } from '../../../../src/vocabulary/severity.js'
import { giveDemoPassword } from '../../accounts.js'
import type { House } from '../../house/house.js'
import { office } from '../../house/people.js'
import { dismissedReport, hiddenReport, mergedReports, report } from '../../house/report.js'
import { things } from '../../house/things.js'
import { linkedIdentity } from '../../oidc/unusedProvider.js'
import { newBrowser, subscriptionOf } from '../../push/subscription.js'
import { secondFactorFor } from '../../secondFactor.js'
import { unique, uniqueAddress } from './use.js'

export type Setups = ReturnType<typeof setupsOf>

const fault = (severity: Severity = 'high') => ({ assetId: 2, title: unique('Fault'), severity })
const incident = (severity?: Severity) => report(fault(severity))

async function cost(): Promise<[incidentId: number, costId: number]> {
  const id = await incident()
  return [id, await office.addsCost(id)]
}

/** What the examples of writes need to be there before. */
export function setupsOf(house: House) {
  const record = async (path: string, json: object): Promise<number> =>
    (await house.json('admin', `/api/admin/${path}`, { json })).id

  /** A resident with an account of their own, signed in. */
  async function member() {
    const email = uniqueAddress('person')
    const id = await things.user({ name: unique('Person'), email })
    await giveDemoPassword(id)
    return { id, email, who: 'guest' as const, cookie: await house.signIn(email) }
  }

  async function memberWithSecondFactor() {
    const account = await member()
    return { ...account, ...(await secondFactorFor(house, account.cookie)) }
  }

  /** A member whose account is linked to a provider's; `ids`: the link. */
  async function linkedMember() {
    const account = await member()
    return { ...account, ids: [await linkedIdentity(account.id)] }
  }

  /** A member who is signed in in two browsers; `ids`: the session of the other one. */
  async function memberTwice() {
    const account = await member()
    await house.signIn(account.email)
    const { sessions } = await asMember(account.cookie, '/api/account')
    return { ...account, ids: [sessions.find(({ current }: { current: boolean }) => !current).id] }
  }

  /** A member who gets push messages; `ids`: the browser. */
  async function memberWithBrowser() {
    const account = await member()
    const { id } = await asMember(account.cookie, '/api/account/browsers', subscriptionOf(newBrowser()))
    return { ...account, ids: [id] }
  }

  /** A member who follows a tower; `ids`: the following. */
  async function memberWhoFollows() {
    const account = await member()
    await house.ask({ cookie: account.cookie }, '/api/follows', { json: { towerId: 1 } })
    const { follows } = await asMember(account.cookie, '/api/account')
    return { ...account, ids: [follows[0].id] }
  }

  const asMember = (cookie: string, path: string, json?: object) =>
    house.json({ cookie }, path, { ...(json ? { json } : {}) })

  return {
    app: house,
    incident,
    resolved: () => report({ ...fault(), status: 'resolved' }),
    confirmed: async () => {
      const id = await report({ ...fault(), status: 'resolved' })
      await house.json('manager', `/api/incidents/${id}/confirm`, { json: {} })
      return id
    },
    hidden: () => hiddenReport(fault()),
    dismissed: () => dismissedReport(fault()),
    merged: async () => (await mergedReports({ duplicate: fault(), survivor: fault() })).duplicateId,
    cost,
    record,
    member,
    memberWithSecondFactor,
    linkedMember,
    memberTwice,
    memberWithBrowser,
    memberWhoFollows,
  }
}
