// Copies of a few pages, such as the last known status, for times without a connection. They are
// requested without cookies, as a guest gets them: nothing in them belongs to a person.
const copyStore = 'kept-3'
const status = '/'
const offline = '/offline'
/** The page of the reports that wait on this phone, with the texts that other pages need. */
const waiting = '/report/waiting'
/** The report form that works without a connection. */
const reportForm = '/report/offline'
const copiedPages = [status, offline, waiting, reportForm]
/** Milliseconds between two copies of the status. */
const copyInterval = 30_000

/** Requests a page as a guest does; without `language`, in the language of the browser. */
const guest = (address, language) => {
  const headers = { Accept: 'text/html', ...(language && { 'Accept-Language': language }) }
  return new Request(address, { credentials: 'omit', headers })
}

const languageOf = ({ headers }) => headers.get('Content-Language')

/** The addresses of the files that a page needs; they change with the content of the files. */
const filesOf = (html) =>
  [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, address]) => address)

/**
 * Copies the pages in the language of the page that is open, with their files, and deletes the
 * files of older copies.
 */
const copyPages = async (openPage, { first = false } = {}) => {
  // Another worker has deleted the store: it is not made again.
  if (!first && !(await caches.has(copyStore))) return
  const cache = await caches.open(copyStore)
  const copied = await cache.match(status)
  const language = languageOf(openPage)
  const isNew = copied && Date.now() - Date.parse(copied.headers.get('X-Kept-At')) < copyInterval
  if (isNew && (!language || languageOf(copied) === language)) return
  const pages = await Promise.all(
    copiedPages.map(async (address) => [address, await fetch(guest(address, language))]),
  )
  if (!pages.every(([, answer]) => answer.ok && !answer.redirected)) return
  const texts = await Promise.all(pages.map(async ([address, answer]) => [address, await answer.text()]))
  const files = [...new Set(texts.flatMap(([, html]) => filesOf(html)))]
  const missing = await Promise.all(files.map(async (file) => ((await cache.match(file)) ? null : file)))
  await cache.addAll(missing.filter(Boolean))
  const now = new Date().toISOString()
  for (const [i, [address, html]] of texts.entries()) {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'X-Kept-At': now }
    for (const name of ['Content-Security-Policy', 'Content-Language', 'X-Content-Type-Options'])
      if (pages[i][1].headers.has(name)) headers[name] = pages[i][1].headers.get(name)
    await cache.put(address, new Response(html, { headers }))
  }
  for (const { url } of await cache.keys())
    if (![...copiedPages, ...files].includes(new URL(url).pathname)) await cache.delete(url)
}

/** A time by the building's clock; with the date when it is not today. */
const timeOf = (at, language, timeZone) => {
  const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' })
  const today = day.format(new Date()) === day.format(at)
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone,
    hour: '2-digit',
    hourCycle: 'h23',
    minute: '2-digit',
    ...(today ? {} : { day: 'numeric', month: 'long' }),
  }).format(at)
}

const attribute = (html, name) => (new RegExp(`${name}="([^"]*)"`).exec(html) || ['', ''])[1]

/** A page with these lines at the top of its main part. */
const withLine = (html, line) => html.replace(/<main[^>]*>/, (main) => main + line)

/**
 * The HTML of a copy with a line at the top that says when it was made. `offlineHtml` is the page
 * for times without a connection, which has the text, the language and the time zone. `words`: the
 * name of the text there.
 */
const withMoment = (html, page, offlineHtml, words = 'data-page') => {
  const at = timeOf(
    new Date(page.headers.get('X-Kept-At')),
    attribute(offlineHtml, 'lang'),
    attribute(offlineHtml, 'data-zone'),
  )
  const text = attribute(offlineHtml, words).replace('…', at)
  return withLine(html, `<p class="trouble" id="kept" role="alert">${text}</p>`)
}

/** The stored status, or the page that says that there is no connection. */
const copiedPage = async (path) => {
  const cache = await caches.open(copyStore)
  const [page, words] = [await cache.match(path === status ? status : offline), await cache.match(offline)]
  if (!page || !words) return Response.error()
  if (path !== status) return page
  const html = withMoment(await page.text(), page, await words.text(), 'data-kept')
  return new Response(html, { headers: page.headers })
}
