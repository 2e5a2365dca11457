import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import type { SingleSignOn } from '../../../src/platform/process/config/singleSignOn.js'
import { config } from '../../../src/platform/process/config.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import type { House } from '../house/house.js'
import { forgetCounts } from '../house/limits.js'
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.js'
import { visitor } from './visitor.js'

/**
 * A provider that the application of this file signs people in with; `settings` are
 * put back after each test, and no identity is linked when one begins.
 */
export function useProvider(house: House) {
  let provider: TestProvider
  const before = { singleSignOn: config.singleSignOn, publicUrl: config.publicUrl }

  const usual = (): SingleSignOn => ({
    issuer: provider.issuer,
    clientId,
    clientSecret,
    name: 'House ID',
    linkByEmail: true,
    roleClaim: null,
    only: false,
  })
  beforeAll(async () => {
    config.publicUrl = house.origin()
    provider = await startProvider({
      redirect: `${house.origin()}/sign-in/oidc/callback`,
      afterSignOut: `${house.origin()}/`,
    })
    config.singleSignOn = usual()
  })
  beforeEach(forgetIdentities)
  afterEach(async () => {
    provider.behave()
    config.singleSignOn = usual()
    await forgetCounts()
  })
  afterAll(async () => {
    Object.assign(config, before)
    await provider.close()
  })

  return {
    /** The provider: what it says of whom, and how it fails. */
    provider: () => provider,
    settings: (some: Partial<SingleSignOn>) => {
      config.singleSignOn = { ...usual(), ...some }
    },
    /** A browser at the sign-in page. */
    async guest(next = '') {
      const browser = visitor()
      await browser.go(`${house.origin()}/sign-in${next && `?next=${encodeURIComponent(next)}`}`)
      return browser
    },
    /** Signs a subject in by the link of the sign-in page; the browser and the page it came to. */
    async signIn(subject: TestProvider['subject'], next = '') {
      provider.subject = subject
      const browser = await this.guest(next)
      return { browser, page: await browser.follow(signInLink) }
    },
    /** Signs somebody in by password; the browser and the page it came to. */
    async byPassword(email: string) {
      const browser = await this.guest()
      return {
        browser,
        page: await browser.send('form[action="/sign-in"]', { email, password: demoPassword }),
      }
    },
    /** Who is signed in in a browser; null for nobody. */
    who: (browser: ReturnType<typeof visitor>) => house.me(browser.cookie(house.origin())),
  }
}

/** As if no identity of a provider were linked to an account. */
export async function forgetIdentities(): Promise<void> {
  await query('delete from identities')
}

/** What the provider says of someone who has an account by this address. */
export const subjectWith = (email: string, more = {}) => ({
  sub: email.split('@')[0]!,
  email,
  email_verified: true,
  ...more,
})

/** What the provider says of a demo person, or of a stranger. */
export const subject = (sub: string, more = {}) => subjectWith(`${sub}@example.com`, more)

/** The link of the sign-in page to the provider. */
export const signInLink = 'a[href^="/sign-in/oidc"]'
