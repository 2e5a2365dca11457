// Takes the place of every worker when SERVICE_WORKER is off: it forgets what was kept, and goes once no report waits any
// more and what was sent has been told. Until then it shows and sends those, and takes no new one.
const leave = async () => {
  await sendAndTell(0).catch(() => {})
  const left = await allRows().catch(() => [])
  if (left.every(({ toldAt }) => toldAt)) await registration.unregister()
}

addEventListener('install', () => skipWaiting())

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => clients.claim())
      .then(leave),
  ),
)

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET' || request.mode !== 'navigate') return
  event.respondWith(
    pathname === waiting ? waitingPage(request.url) : pageWithNews(request, () => Response.error()),
  )
  event.waitUntil(leave())
})
