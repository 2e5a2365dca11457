import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { configureWebPush, newBrowser, subscriptionOf } from '../../support/push/subscription.js'

describe.skipIf(withoutBrowser)('notifications in a browser', () => {
  const house = useHouse()
  const browser = useBrowser()
  configureWebPush()

  async function accountOf(who: string, permission: NotificationPermission | 'asked'): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow' })
    await page.addInitScript(pushManager, subscriptionOf(newBrowser()))
    await page.addInitScript((given) => {
      const now = () => (given === 'asked' ? (sessionStorage.getItem('permission') ?? 'default') : given)
      Object.defineProperty(Notification, 'permission', { get: now })
      Notification.requestPermission = async () => {
        if (given === 'asked') sessionStorage.setItem('permission', 'granted')
        return now() as NotificationPermission
      }
    }, permission)
    await enterAs(page, house, who)
    await page.goto(`${house.origin()}/account?tab=notifications`)
    return page
  }
  const ask = 'Turn on notifications'

  it('are turned on by a button that asks only then, and off again', async () => {
    const page = await accountOf('resident', 'asked')
    const button = page.getByRole('button', { name: ask })
    await button.click()
    await page
      .locator('section[aria-labelledby=browsers] li', { hasText: 'Chrome on Linux (this device)' })
      .waitFor()
    expect(await page.evaluate('sessionStorage.getItem("asked")')).toBe('true 65')
    expect(await button.count()).toBe(0)
    await page.getByRole('button', { name: /^Turn off notifications on Chrome/ }).click()
    await button.waitFor()
    await expect.poll(() => page.evaluate('sessionStorage.getItem("subscribed")'), patience).toBe('')
    expect(await page.getByText('No browsers yet.').count()).toBe(1)
    expect(browser.complaints).toEqual([])
  })

  it('that the browser refuses are said to be refused, and nothing is stored', async () => {
    const page = await accountOf('board', 'denied')
    await page.getByText('Notifications are blocked.').waitFor()
    expect(await page.getByRole('button', { name: ask }).count()).toBe(0)
    expect((await house.json('board', '/api/account')).browsers).toEqual([])
  })

  it('that a browser cannot show are not offered', async () => {
    const page = await browser.open()
    await page.addInitScript('delete window.PushManager')
    await enterAs(page, house, 'manager')
    await page.goto(`${house.origin()}/account?tab=notifications`)
    await page.getByText('This browser can’t show notifications here.').waitFor()
    expect(await page.getByRole('button', { name: ask }).count()).toBe(0)
  })

  /** A page whose worker may show notifications, and a way to hand that worker a push. */
  async function worked() {
    const page = await browser.open({ serviceWorkers: 'allow', permissions: ['notifications'] })
    await page.goto(`${house.origin()}/`)
    const client = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId)
      })
    })
    await client.send('ServiceWorker.enable')
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const given = { origin: house.origin(), registrationId: await registered }
    const push = (data: string) => client.send('ServiceWorker.deliverPushMessage', { ...given, data })
    const shown = () =>
      page.evaluate<object[]>(
        `navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
          all.map(({ title, body, tag, icon, data }) => ({ title, body, tag, icon: new URL(icon).pathname, data })))`,
      )
    /**
     * Pushes until the first that is shown is this: a worker that starts while the
     * machine is busy misses one.
     */
    const expectPush = async (data: string, expected: object) => {
      const pushed = async () => {
        await push(data)
        return (await shown()).slice(0, 1)
      }
      await expect.poll(pushed, { ...patience, interval: 2_000 }).toMatchObject([expected])
    }
    return { page, expectPush, shown }
  }

  it('say what was pushed; a newer one of the same incident takes its place', async () => {
    const { expectPush, shown } = await worked()
    const said = (title: string) =>
      JSON.stringify({ title, body: 'Lift B', tag: 'incident-7', url: '/incidents/7' })
    await expectPush(said('Seen by the office · INC-7'), { title: 'Seen by the office · INC-7' })
    await expectPush(said('Marked as fixed · INC-7'), { title: 'Marked as fixed · INC-7' })
    const icon = expect.stringMatching(/^\/static\/app-192\.[0-9a-f]+\.png$/)
    const data = { url: `${house.origin()}/incidents/7` }
    await expect
      .poll(shown, patience)
      .toEqual([{ title: 'Marked as fixed · INC-7', body: 'Lift B', tag: 'incident-7', icon, data }])
  })

  it.each(['', 'no JSON', '{}', 'null', '{"title":""}'])(
    'say something true of what they cannot read: %j',
    async (data) => {
      const { page, expectPush } = await worked()
      await expect.poll(() => page.evaluate('caches.match("/offline").then(Boolean)'), patience).toBe(true)
      const news = 'There’s an update on something you follow.'
      await expectPush(data, { title: '127.0.0.1', body: news, data: { url: `${house.origin()}/` } })
    },
  )

  it('lead nowhere but to this building', async () => {
    const { expectPush } = await worked()
    const elsewhere = JSON.stringify({ title: 'x', url: 'https://elsewhere.example/' })
    await expectPush(elsewhere, { title: 'x', data: { url: `${house.origin()}/` } })
  })

  it('open the page of the incident, or the one that is open already', async () => {
    const { page } = await worked()
    await page.goto(`${house.origin()}/incidents`)
    const worker = page.context().serviceWorkers()[0]!
    const clicked = (url: string) =>
      worker.evaluate(async (address) => {
        const scope = globalThis as unknown as { clients: { openWindow: (url: string) => Promise<void> } }
        return new Promise<string>((resolve) => {
          // Only a person's click may open or focus a window.
          scope.clients.openWindow = async (opened) => resolve(`opened ${opened}`)
          const { prototype } = (globalThis as unknown as { WindowClient: { prototype: object } })
            .WindowClient
          Object.assign(prototype, { focus: async () => resolve('focused') })
          const notification = { close: () => {}, data: { url: address } }
          dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }))
        })
      }, url)
    expect(await clicked('/incidents')).toBe('focused')
    expect(await clicked('/incidents/7')).toBe(`opened ${house.origin()}/incidents/7`)
    expect(await clicked('https://elsewhere.example/')).toBe(`opened ${house.origin()}/`)
  })

  it('follow a browser to the new address its push service gives it', async () => {
    const page = await browser.open({ serviceWorkers: 'allow' })
    await enterAs(page, house, 'admin')
    await page.goto(`${house.origin()}/`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const subscription = subscriptionOf(newBrowser())
    await page
      .context()
      .serviceWorkers()[0]!
      .evaluate(async (given) => {
        const bytes = (text: string) =>
          Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
            letter.charCodeAt(0),
          )
        const newSubscription = {
          endpoint: given.endpoint,
          options: { applicationServerKey: bytes(given.serverKey).buffer },
          getKey: (name: 'p256dh' | 'auth') => bytes(given[name]).buffer,
        }
        const event = new Event('pushsubscriptionchange')
        await new Promise((waitUntil) => dispatchEvent(Object.assign(event, { newSubscription, waitUntil })))
      }, subscription)
    const addresses = () => query<{ token: string }>(`select token from devices where platform = 'browser'`)
    expect(await addresses()).toEqual([{ token: subscription.endpoint }])
  })
})

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

/**
 * A push manager as browsers have it: the one of a Chromium without an account
 * reaches no push service.
 */
function pushManager(subscription: object) {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
      .buffer
  const { endpoint, ...keys } = subscription as Record<string, string>
  const store = sessionStorage
  const made = {
    endpoint,
    getKey: (name: string) => bytes(keys[name]!),
    unsubscribe: async () => {
      store.setItem('subscribed', '')
      return true
    },
  }
  const manager = {
    getSubscription: async () => (store.getItem('subscribed') ? made : null),
    subscribe: async (options: { applicationServerKey: Uint8Array; userVisibleOnly: boolean }) => {
      store.setItem('asked', `${options.userVisibleOnly} ${options.applicationServerKey.length}`)
      store.setItem('subscribed', 'yes')
      return made
    },
  }
  Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => manager })
}
