// The report form where its page cannot be fetched. No one knows who holds the phone then: a report
// that is written there names no writer, and waits until someone presses "Send now".

/** The place that the address of the form, or of a sticker, selects; null for other addresses. */
const placeInAddress = ({ pathname, searchParams }) => {
  const [, sticker] = /^\/r\/([^/]+)$/.exec(pathname) || []
  if (sticker) return { assetId: sticker }
  if (pathname !== '/report') return null
  return { assetId: searchParams.get('assetId'), unitId: searchParams.get('unitId') }
}

/** The form with that place selected. */
const withPlace = (html, { assetId, unitId }) => {
  const place = assetId ? `asset-${assetId}` : `unit-${unitId}`
  return /-\d+$/.test(place) ? html.replace(`<option value="${place}"`, '$& selected') : html
}

/** The form with a key of its own: each form that is opened is one report, however often sent. */
const withKey = (html) => html.replace(/(name="formKey" value=")[^"]*/, `$1${crypto.randomUUID()}`)

/**
 * The stored form; or the page of waiting reports when there is no room for another. Null when
 * there is no copy of the form, or the browser cannot store reports.
 */
const copiedForm = async (place) => {
  const [page, words] = [await caches.match(reportForm), await caches.match(offline)]
  const rows = await allRows().catch(() => null)
  if (!page || !words || !rows) return null
  if (isFull(rows)) return goTo(`${waiting}?not=room`)
  const headers = headersOf(page)
  // The next person who holds the phone must not find the typed text by going back.
  headers.set('Cache-Control', 'no-store')
  const html = withMoment(await page.text(), page, await words.text())
  return new Response(withKey(withPlace(html, place)), { headers })
}

/** The page for an address that cannot be fetched. */
const withoutConnection = async (url) => {
  const place = placeInAddress(url)
  const { pathname } = url
  if (pathname === status) return copiedPage(pathname)
  const page = (place && (await copiedForm(place))) || (await seenPage(pathname))
  return page || withSeenList(await copiedPage(pathname))
}
