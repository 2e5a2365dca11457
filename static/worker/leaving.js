// Replaces every worker when SERVICE_WORKER is off. It deletes the stored pages, and removes itself
// once no report waits and pages have said what was sent. Until then it shows and sends the reports
// that wait, and stores no new ones.
const leave = async () => {
  await sendAndReload(0).catch(() => {})
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
