import type { Severity } from '../../../../src/vocabulary/severity.js'
import { giveDemoPassword } from '../../accounts.js'
import type { useApp } from '../../app.js'
import { aCost } from '../../builders/additions.js'
import { anIncident } from '../../builders/incident.js'
import { aMergedPair } from '../../builders/merge.js'
import { aDismissed, aHidden } from '../../builders/protection.js'
import { aUser } from '../../builders/records.js'
import { linkedIdentity } from '../../oidc/unusedProvider.js'
import { newBrowser, subscriptionOf } from '../../push/subscription.js'
import { secondFactorFor } from '../../secondFactor.js'
import { unique, uniqueAddress } from './use.js'

export type App = ReturnType<typeof useApp>
export type Setups = ReturnType<typeof setupsOf>

const fault = (severity: Severity = 'high') => ({ assetId: 2, title: unique('Fault'), severity })
const incident = (severity?: Severity) => anIncident(fault(severity))

async function cost(): Promise<[incidentId: number, costId: number]> {
  const id = await incident()
  return [id, await aCost(id)]
}

/** What the examples of writes need to be there before. */
export function setupsOf(app: App) {
  const record = async (path: string, json: object): Promise<number> =>
    (await app.json('admin', `/api/admin/${path}`, { json })).id

  /** A resident with an account of their own, signed in. */
  async function member() {
    const email = uniqueAddress('person')
    const id = await aUser({ name: unique('Person'), email })
    await giveDemoPassword(id)
    return { id, email, who: 'guest' as const, cookie: await app.signIn(email) }
  }

  async function memberWithSecondFactor() {
    const account = await member()
    return { ...account, ...(await secondFactorFor(app, account.cookie)) }
  }

  /** A member whose account is linked to a provider's; `ids`: the link. */
  async function linkedMember() {
    const account = await member()
    return { ...account, ids: [await linkedIdentity(account.id)] }
  }

  /** A member who is signed in in two browsers; `ids`: the session of the other one. */
  async function memberTwice() {
    const account = await member()
    await app.signIn(account.email)
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
    await app.ask({ cookie: account.cookie }, '/api/follows', { json: { towerId: 1 } })
    const { follows } = await asMember(account.cookie, '/api/account')
    return { ...account, ids: [follows[0].id] }
  }

  const asMember = (cookie: string, path: string, json?: object) =>
    app.json({ cookie }, path, { ...(json ? { json } : {}) })

  return {
    app,
    incident,
    resolved: () => anIncident({ ...fault(), status: 'resolved' }),
    confirmed: async () => {
      const id = await anIncident({ ...fault(), status: 'resolved' })
      await app.json('manager', `/api/incidents/${id}/confirm`, { json: {} })
      return id
    },
    hidden: () => aHidden(fault()),
    dismissed: () => aDismissed(fault()),
    merged: async () => (await aMergedPair({ duplicate: fault(), survivor: fault() })).duplicateId,
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
