// Pages that residents have seen and that the server lets phones keep, such as reports and
// contacts, for times without a connection. They belong to the person who saw them: they are
// deleted when that person signs out, and when a page of anyone else arrives.
const seenStore = 'seen-1'
const mostSeen = 20
const seenLifetime = 7 * day

/** One change of the store at a time: no page that comes late is stored after a sign-out. */
let lastChange = Promise.resolve()
const changeSeen = (act) => {
  lastChange = lastChange.then(act).catch(() => {})
  return lastChange
}
const forgetSeen = () => changeSeen(() => caches.delete(seenStore))

const isFile = ({ url }) => new URL(url).pathname.startsWith('/static/')
const momentOf = ({ headers }) => Date.parse(headers.get('X-Kept-At'))

/** The pages of the store with their addresses, newest first. */
const seenPages = async (cache) => {
  const keys = (await cache.keys()).filter((key) => !isFile(key))
  const pages = await Promise.all(keys.map(async ({ url }) => ({ url, page: await cache.match(url) })))
  return pages.sort((a, b) => momentOf(b.page) - momentOf(a.page))
}

const isOld = ({ page }) => Date.now() - momentOf(page) > seenLifetime

/** Deletes pages that are too old or too many, and the files that no page needs any more. */
const pruneSeen = async (cache) => {
  const pages = await seenPages(cache)
  const kept = pages.slice(0, mostSeen).filter((each) => !isOld(each))
  const files = kept.flatMap(({ page }) => page.headers.get('X-Files').split(' '))
  const needed = [...kept.map(({ url }) => new URL(url).pathname), ...files]
  for (const { url } of await cache.keys())
    if (!needed.includes(new URL(url).pathname)) await cache.delete(url)
}

/** Stores a page under its address, with its files. `reader`: the mark of the person who saw it. */
const storeSeen = async (path, page, reader) => {
  const html = await page.text()
  const cache = await caches.open(seenStore)
  const files = filesOf(html)
  for (const file of files) if (!(await cache.match(file))) await cache.add(file)
  const headers = headersOf(page)
  // Without the name of the building.
  const [, title = path] = /<title>([^<]*?)(?: – [^–<]*)?</.exec(html) || []
  const facts = { 'X-Kept-At': new Date().toISOString(), 'X-Reader': reader }
  for (const [name, value] of Object.entries(facts)) headers.set(name, value)
  headers.set('X-Files', files.join(' '))
  headers.set('X-Title', encodeURIComponent(title))
  // The next person who holds the phone must not find it by going back.
  headers.set('Cache-Control', 'no-store')
  await cache.put(path, new Response(html, { headers }))
  await pruneSeen(cache)
}

/** Deletes what another person has seen, or the same person before they signed in. */
const forgetOthers = async (reader) => {
  if (!(await caches.has(seenStore))) return
  const pages = await seenPages(await caches.open(seenStore))
  if (pages.some(({ page }) => page.headers.get('X-Reader') !== reader)) await caches.delete(seenStore)
}

const mayKeep = ({ ok, headers }) => ok && headers.has('X-Keep-Page')

/** Fetches a page as the person who is signed in, and stores it if it is still theirs. */
const fetchSeen = async (path, reader) => {
  const page = await fetchWithin(pageTimeout, path, { headers: { Accept: 'text/html' } })
  if (mayKeep(page) && page.headers.get('X-Reader') === reader) await storeSeen(path, page, reader)
}

/**
 * Whose page it is; null when the answer doesn't say. The status for guests is made beforehand and
 * does not say it; one that is not to be stored is shown to everyone while the database is away.
 */
const readerOf = ({ pathname }, answer) => {
  const isStored = answer.headers.get('Cache-Control') !== 'no-store'
  const isForGuests = pathname === status && isPage(answer) && isStored
  return answer.headers.get('X-Reader') || (isForGuests ? 'guest' : null)
}

/**
 * Stores the page that has just been opened, if it may be; one with the notice of an act without
 * that notice. Forgets the pages of other readers.
 */
const keepSeen = (url, answer) => {
  const reader = readerOf(url, answer)
  if (!reader) return lastChange
  const { pathname, searchParams } = url
  const hasNotice = searchParams.has('notice')
  const isKept = mayKeep(answer) && (hasNotice || !url.search)
  const page = isKept && !hasNotice && answer.clone()
  return changeSeen(async () => {
    await forgetOthers(reader)
    if (!isKept) return
    if (page) await storeSeen(pathname, page, reader)
    else await fetchSeen(pathname, reader)
    // The form behind "No": without a connection it could not be opened.
    const stored = await caches.match(pathname)
    const question = `${pathname}/verify`
    if (stored && (await stored.text()).includes(`href="${question}"`)) await fetchSeen(question, reader)
  })
}

/**
 * The forms of a stored page, each with a key of its own. They name no writer, since no one knows
 * who holds the phone, and wait until someone presses "Send now".
 */
const withOfflineForms = (html) =>
  html
    .replace(/(name="formKey" value=")[^"]*/g, (_found, start) => start + crypto.randomUUID())
    .replace(/(name="writer" value=")[^"]*/g, '$1')
    .replace(/(action="\/incidents\/\d+\/(?:updates|follow|verify))"/g, '$1?offline=1"')

/** The stored page of an address, with the moment it is from; null when there is none. */
const seenPage = async (path) => {
  const [page, words] = [await caches.match(path), await caches.match(offline)]
  if (!page || !words || !page.headers.has('X-Reader') || isOld({ page })) return null
  const html = withMoment(await page.text(), page, await words.text())
  return new Response(withOfflineForms(html), { headers: page.headers })
}

/** The page for times without a connection, with links to the pages that are stored. */
const withSeenList = async (page) => {
  if (!page.ok || !(await caches.has(seenStore))) return page
  const pages = (await seenPages(await caches.open(seenStore))).filter((each) => !isOld(each))
  const listed = pages.filter(({ url }) => !url.endsWith('/verify'))
  if (listed.length === 0) return page
  const html = await page.text()
  const items = listed.map(({ url, page: { headers } }) => {
    const title = decodeURIComponent(headers.get('X-Title'))
    // The title is HTML already.
    return `<li><a href="${escaped(new URL(url).pathname)}">${title}</a></li>`
  })
  const list = `<h2>${attribute(html, 'data-seen')}</h2><ul>${items.join('')}</ul></main>`
  return new Response(
    html.replace('</main>', () => list),
    { headers: page.headers },
  )
}
