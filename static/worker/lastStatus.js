// Keeps the last known status for when there is no connection. It keeps what a guest gets, and nothing of anyone's own:
// these pages are asked for without cookies, and no other is kept.
const store = 'kept-3'
const status = '/'
const offline = '/offline'
/** The page of the reports that wait on this phone, with the words for all that is said of them. */
const waiting = '/report/waiting'
/** The report form that needs no one's answer. */
const reportForm = '/report/offline'
const keptPages = [status, offline, waiting, reportForm]
/** Milliseconds between two copies of the status. */
const pause = 30_000

/** A page as a guest gets it; in the language of the browser where none is given. */
const guest = (address, language) => {
  const headers = { Accept: 'text/html', ...(language && { 'Accept-Language': language }) }
  return new Request(address, { credentials: 'omit', headers })
}

const languageOf = ({ headers }) => headers.get('Content-Language')

/** Files a page is shown with; their addresses change with what is in them. */
const filesOf = (html) =>
  [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, address]) => address)

/** Copies the pages, in the language of what was shown, and their files, and lets go of the files of older copies. */
const keep = async (shown, { first = false } = {}) => {
  // What another worker has thrown away is not started again.
  if (!first && !(await caches.has(store))) return
  const cache = await caches.open(store)
  const had = await cache.match(status)
  const language = languageOf(shown)
  const isNew = had && Date.now() - Date.parse(had.headers.get('X-Kept-At')) < pause
  if (isNew && (!language || languageOf(had) === language)) return
  const pages = await Promise.all(
    keptPages.map(async (address) => [address, await fetch(guest(address, language))]),
  )
  if (!pages.every(([, answer]) => answer.ok && !answer.redirected)) return
  const texts = await Promise.all(pages.map(async ([address, answer]) => [address, await answer.text()]))
  const files = [...new Set(texts.flatMap(([, html]) => filesOf(html)))]
  const missing = await Promise.all(files.map(async (file) => ((await cache.match(file)) ? null : file)))
  await cache.addAll(missing.filter(Boolean))
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'X-Kept-At': new Date().toISOString() }
  for (const [i, [address, html]] of texts.entries()) {
    for (const name of ['Content-Security-Policy', 'Content-Language', 'X-Content-Type-Options'])
      if (pages[i][1].headers.has(name)) headers[name] = pages[i][1].headers.get(name)
    await cache.put(address, new Response(html, { headers }))
  }
  for (const { url } of await cache.keys())
    if (![...keptPages, ...files].includes(new URL(url).pathname)) await cache.delete(url)
}

/** A moment, by the building's clock. */
const timeOf = (at, language, timeZone) => {
  const today = new Date().toDateString() === at.toDateString()
  return new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    ...(today ? {} : { day: 'numeric', month: 'long' }),
  }).format(at)
}

const attribute = (html, name) => (new RegExp(`${name}="([^"]*)"`).exec(html) || ['', ''])[1]

/** A page with this above all else in it. */
const withLine = (html, line) => html.replace(/<main[^>]*>/, (main) => main + line)

/** The copy with a line above that says of when it is, in the words of the page for any other address. */
const withMoment = (html, page, said) => {
  const at = timeOf(
    new Date(page.headers.get('X-Kept-At')),
    attribute(said, 'lang'),
    attribute(said, 'data-zone'),
  )
  const line = `<p class="trouble" id="kept" role="alert">${attribute(said, 'data-kept').replace('…', at)}</p>`
  return withLine(html, line)
}

/** The kept status, or the page that says that there is no connection. */
const kept = async (path) => {
  const cache = await caches.open(store)
  const [page, words] = [await cache.match(path === status ? status : offline), await cache.match(offline)]
  if (!page || !words) return Response.error()
  if (path !== status) return page
  const html = withMoment(await page.text(), page, await words.text())
  return new Response(html, { headers: page.headers })
}
