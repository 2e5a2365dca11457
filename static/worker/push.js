// Shows pushed notifications of what a person follows. It stores nothing.
;(() => {
  const own = (address) => {
    const url = new URL(address || '/', location.origin)
    return url.origin === location.origin ? url.href : `${location.origin}/`
  }

  /** The text for a push that cannot be read, from the stored page: it is true of every push. */
  const unread = async () => {
    const page = await caches.match('/offline')
    const [, news = ''] = (page && /data-news="([^"]*)"/.exec(await page.text())) || []
    return { title: location.hostname, body: news }
  }

  const message = async (data) => {
    try {
      const { title, body, tag, url } = data.json()
      if (title) return { title, body, tag, url }
    } catch {}
    return unread()
  }

  const show = async (data) => {
    const { title, body, tag, url } = await message(data)
    await registration.showNotification(title, {
      body: body || '',
      icon: 'app-192.png',
      data: { url: own(url) },
      ...(tag ? { tag, renotify: true } : {}),
    })
  }

  const open = async (address) => {
    const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
    const shown = pages.find(({ url }) => url.split('#')[0] === address)
    await (shown ? shown.focus() : clients.openWindow(address))
  }

  const base64url = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')

  /**
   * Registers the browser's new address. The server refuses it when no one is signed in: that
   * browser is not notified any more.
   */
  const moved = async (subscription) => {
    const { endpoint, options } = subscription
    await fetch('/api/account/browsers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        endpoint,
        p256dh: base64url(subscription.getKey('p256dh')),
        auth: base64url(subscription.getKey('auth')),
        serverKey: base64url(options.applicationServerKey),
      }),
    })
  }

  addEventListener('push', (event) => event.waitUntil(show(event.data)))

  addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(own(event.notification.data?.url)))
  })

  addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription: old, newSubscription } = event
    const fresh = newSubscription
      ? Promise.resolve(newSubscription)
      : old && registration.pushManager.subscribe(old.options)
    if (fresh) event.waitUntil(fresh.then(moved))
  })
})()
