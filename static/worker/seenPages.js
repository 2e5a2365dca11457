// Pages that residents have seen and that the server lets phones keep, such as reports and
// contacts, for times without a connection. They belong to the person who saw them: they are
// deleted when that person signs out, and when a page of anyone else arrives.
const seenStore = 'seen-1'
const mostSeen = 20
const seenLifetime = 7 * day

/** One change of the store at a time. */
let lastChange = Promise.resolve()
const changeSeen = (act) => {
  lastChange = lastChange.then(act).catch(() => {})
  return lastChange
}

/**
 * Counts sign-outs and changes of reader. A page that was requested in an earlier epoch may come
 * late, and is not stored: it belongs to whoever held the phone before.
 */
let epoch = 0
const seenEpoch = () => epoch
let lastReader = null

const forgetSeen = () => {
  epoch += 1
  return changeSeen(() => caches.delete(seenStore))
}

const photoAddress = '/api/photos/'
/** Bounds of what is kept of photos: thumbnails only, those of the newest pages first. */
const mostPhotos = 60
const mostPhotoBytes = 5_000_000
/** Pages that stay whatever else is read: people need them where there is trouble. */
const pagesThatStay = ['/contacts', '/my-reports']

const isPhoto = ({ url }) => new URL(url).pathname.startsWith(photoAddress)
const isFile = ({ url }) => new URL(url).pathname.startsWith('/static/') || isPhoto({ url })
const momentOf = ({ headers }) => Date.parse(headers.get('X-Kept-At'))

/** The pages of the store with their addresses, newest first. */
const seenPages = async (cache) => {
  const keys = (await cache.keys()).filter((key) => !isFile(key))
  const pages = await Promise.all(keys.map(async ({ url }) => ({ url, page: await cache.match(url) })))
  return pages.sort((a, b) => momentOf(b.page) - momentOf(a.page))
}

const isOld = ({ page }) => Date.now() - momentOf(page) > seenLifetime

/** The addresses that a stored page lists in this header. */
const listedIn = ({ headers }, name) => (headers.get(name) || '').split(' ').filter(Boolean)

/** The photos of these pages that there is room for. */
const photosWithRoom = async (cache, pages) => {
  const kept = []
  let bytes = 0
  for (const path of new Set(pages.flatMap(({ page }) => listedIn(page, 'X-Photos')))) {
    const photo = await cache.match(path, { ignoreVary: true })
    if (!photo) continue
    bytes += Number(photo.headers.get('X-Bytes'))
    if (kept.length >= mostPhotos || bytes > mostPhotoBytes) break
    kept.push(path)
  }
  return kept
}

/** Deletes pages that are too old or too many, and the files that no page needs any more. */
const pruneSeen = async (cache) => {
  const pages = (await seenPages(cache)).filter((each) => !isOld(each))
  const stays = ({ url }) => pagesThatStay.includes(new URL(url).pathname)
  const first = pages.filter(stays)
  const others = pages.filter((each) => !stays(each))
  const kept = first.concat(others.slice(0, mostSeen - first.length))
  const files = kept.flatMap(({ page }) => listedIn(page, 'X-Files'))
  const photoPaths = await photosWithRoom(cache, kept)
  const needed = [...kept.map(({ url }) => new URL(url).pathname), ...files, ...photoPaths]
  for (const { url } of await cache.keys())
    if (!needed.includes(new URL(url).pathname)) await cache.delete(url)
}

const stored = (address) =>
  caches.match(address, { cacheName: seenStore, ignoreVary: true }).catch(() => null)

/** The file under its address. Throws when it cannot be fetched: a page is not kept without it. */
const fileOf = async (address) => {
  const answer = (await stored(address)) || (await fetchWithin(pageTimeout, address))
  if (!answer.ok) throw new Error(answer.status)
  return answer
}

/** The photo under its address; null when it cannot be fetched, or is too large to keep. */
const photoOf = async (address) => {
  const known = await stored(address)
  if (known) return known
  const answer = await fetchWithin(pageTimeout, address).catch(() => Response.error())
  if (!answer.ok) return null
  const body = await answer.blob()
  const headers = { 'Content-Type': 'image/jpeg', 'X-Bytes': String(body.size) }
  return body.size > mostPhotoBytes ? null : new Response(body, { headers })
}

/** A photo of a stored page; an error when there is none. */
const seenPhoto = async (address) => (await stored(address)) || Response.error()

/**
 * Stores a page under its address, with its files and thumbnails, unless its reader has gone in
 * the meantime. `reader`: the mark of the person who saw it; `since`: the epoch it belongs to.
 */
const storeSeen = async (path, page, reader, since) => {
  const html = await page.text()
  const files = filesOf(html)
  const thumbnails = [...html.matchAll(/ src="(\/api\/photos\/[^"]+\.thumb\.jpg)"/g)]
    .map(([, address]) => address)
    .slice(0, mostPhotos)
  // What comes from the network comes before the change, which a sign-out must not wait for.
  const parts = await Promise.all([...files.map(fileOf), ...thumbnails.map(photoOf)])
  const headers = headersOf(page)
  // Without the name of the building.
  const [, title = path] = /<title>([^<]*?)(?: – [^–<]*)?</.exec(html) || []
  const facts = { 'X-Kept-At': new Date().toISOString(), 'X-Reader': reader }
  for (const [name, value] of Object.entries(facts)) headers.set(name, value)
  headers.set('X-Files', files.join(' '))
  headers.set('X-Photos', thumbnails.join(' '))
  headers.set('X-Title', encodeURIComponent(title))
  // The next person who holds the phone must not find it by going back.
  headers.set('Cache-Control', 'no-store')
  await changeSeen(async () => {
    if (since !== epoch) return
    const cache = await caches.open(seenStore)
    for (const [i, address] of [...files, ...thumbnails].entries())
      if (parts[i]) await cache.put(address, parts[i])
    await cache.put(path, new Response(html, { headers }))
    await pruneSeen(cache)
  })
}

/** Deletes what another person has seen, or the same person before they signed in. */
const forgetOthers = async (reader) => {
  if (!(await caches.has(seenStore))) return
  const pages = await seenPages(await caches.open(seenStore))
  if (pages.some(({ page }) => page.headers.get('X-Reader') !== reader)) await caches.delete(seenStore)
}

const mayKeep = ({ ok, headers }) => ok && headers.has('X-Keep-Page')

/** Fetches a page as the person who is signed in, and stores it if it is still theirs. */
const fetchSeen = async (path, reader, since) => {
  const page = await fetchWithin(pageTimeout, path, { headers: { Accept: 'text/html' } })
  if (mayKeep(page) && page.headers.get('X-Reader') === reader) await storeSeen(path, page, reader, since)
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
 * that notice. Forgets the pages of other readers. `since`: the epoch in which it was requested.
 */
const keepSeen = async (url, answer, since = epoch) => {
  const reader = readerOf(url, answer)
  if (!reader || since !== epoch) return
  if (reader !== lastReader) {
    epoch += 1
    lastReader = reader
  }
  const now = epoch
  const { pathname, searchParams } = url
  const hasNotice = searchParams.has('notice')
  const isKept = mayKeep(answer) && (hasNotice || !url.search)
  const page = isKept && !hasNotice && answer.clone()
  await changeSeen(() => forgetOthers(reader))
  if (!isKept) return
  if (page) await storeSeen(pathname, page, reader, now)
  else await fetchSeen(pathname, reader, now)
  // The form behind "No": without a connection it could not be opened.
  const copy = await stored(pathname)
  const question = `${pathname}/verify`
  if (copy && (await copy.text()).includes(`href="${question}"`)) await fetchSeen(question, reader, now)
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
