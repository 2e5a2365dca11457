import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { chromiumPath, withoutBrowser } from './host/programs.js'

export { chromiumPath, withoutBrowser }

/** Milliseconds: pages come slowly on a busy machine. */
const patience = 120_000

/** Quiet: without these Chromium looks up hosts of its own at every start. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Chromium reports answers such as 422 as errors of the console; they are what a test asked for.
 */
const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/

/**
 * One browser for all files of a process, whose modules are another file's each time;
 * it ends with the process.
 */
const shared = globalThis as { browserOfTests?: Promise<Browser> }

function launched(): Promise<Browser> {
  shared.browserOfTests ??= chromium.launch({
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
    args: flags,
    timeout: patience,
  })
  return shared.browserOfTests
}

/**
 * Pages for the tests of one file, each without a past. A page opened by a test is closed
 * after it: one that stays open costs as much as the test. Every page reports its console
 * errors into `complaints`.
 */
export function useBrowser() {
  const ofFile: BrowserContext[] = []
  let ofTest: BrowserContext[] | undefined
  const complaints: string[] = []
  const close = (contexts: BrowserContext[]) => Promise.all(contexts.map(closeContext))
  beforeAll(launched)
  beforeEach(() => {
    ofTest = []
  })
  afterEach(async () => {
    await close(ofTest!)
    ofTest = undefined
  })
  afterAll(() => close(ofFile))
  return {
    complaints,
    async open(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await (await launched()).newContext({
        viewport: { width: 360, height: 740 },
        locale: 'en-GB',
        // What a worker fetches, no test of a broken network can break.
        serviceWorkers: 'block',
        ...options,
      })
      context.setDefaultTimeout(patience)
      ;(ofTest ?? ofFile).push(context)
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' && !refusal.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      return page
    },
  }
}

/** What the clock of a page says, in milliseconds: it need not be the one of the tests. */
export const clockOf = (page: Page): Promise<number> => page.evaluate<number>('Date.now()')

/** Gives a page the session of somebody, which is faster than signing in by the page. */
export async function enterAs(
  page: Page,
  app: { origin: () => string; signIn: (email: string) => Promise<string> },
  who: string,
): Promise<void> {
  const cookies = (await app.signIn(`${who}@example.com`)).split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url: app.origin() }
  })
  await page.context().addCookies(cookies)
}

/** Signs in by the page, as a person would. */
export async function signInOn(page: Page, origin: string, who: string): Promise<void> {
  await page.goto(`${origin}/sign-in`)
  await answerSignIn(page, who)
  await page.waitForURL((url) => ['/', '/admin'].includes(url.pathname))
}

/** Fills in and sends the form to sign in of the page that is open. */
export async function answerSignIn(page: Page, who: string): Promise<void> {
  await page.locator('#email').fill(`${who}@example.com`)
  await page.locator('#password').fill(demoPassword)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).first().click()
}

/** Closes a context; what a test answers in the place of the server may be under way still. */
async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}
