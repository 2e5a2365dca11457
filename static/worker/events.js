/** Milliseconds between two tries to send that no one has asked for. */
const retryInterval = 30_000

addEventListener('install', (event) =>
  event.waitUntil(
    fetch(offline, { method: 'HEAD' })
      .then((answer) => copyPages(answer, { first: true }))
      .catch(() => {})
      .then(() => skipWaiting()),
  ),
)

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name !== copyStore && name !== seenStore).map((name) => caches.delete(name)),
        ),
      )
      .then(() => clients.claim()),
  ),
)

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  const { origin, pathname } = url
  if (origin !== location.origin) return
  if (request.mode !== 'navigate') {
    if (request.method !== 'GET') return
    if (pathname.startsWith('/static/'))
      event.respondWith(caches.match(request).then((file) => file || fetch(request)))
    else if (pathname.startsWith(photoAddress))
      event.respondWith(fetch(request).catch(() => seenPhoto(pathname)))
  } else if (request.method === 'POST') {
    if (pathname === '/sign-out' && !isFromUs(request)) event.waitUntil(forgetSeen())
    if (!isFromUs(request)) return
    if (kindAt(pathname)) event.respondWith(sendOrQueue(event, sendOrSay))
    else if (pathname === '/sign-out') event.respondWith(signOut(request))
    else event.respondWith(sendOrSay(request))
  } else if (request.method === 'GET' && pathname === waiting) event.respondWith(waitingPage(request.url))
  else if (request.method === 'GET') {
    let keeping
    const since = seenEpoch()
    const keep = (fetched) => {
      keeping = keepSeen(url, fetched, since)
    }
    const answer = pageWithNews(request, () => withoutConnection(url), keep)
    event.respondWith(answer)
    event.waitUntil(answer.then(() => keeping))
    event.waitUntil(sendAndReload(retryInterval).catch(() => {}))
    if (pathname === status) event.waitUntil(answer.then(copyPages).catch(() => {}))
  }
})

// An open page has noticed that there is a connection again.
addEventListener('message', (event) => event.waitUntil(sendAndReload(retryInterval).catch(() => {})))

// When this fails, the browser fires the event again at a time of its choice.
addEventListener('sync', (event) => event.waitUntil(sendAndReload(0)))
