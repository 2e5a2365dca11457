// The report form where its page cannot be fetched. No one knows who holds the phone then: what is written in it names no
// author, and waits for "Send now".

/** What the address of the form, or of a sticker, chooses; null for the address of anything else. */
const chosenAt = ({ pathname, searchParams }) => {
  const [, sticker] = /^\/r\/([^/]+)$/.exec(pathname) || []
  if (sticker) return { assetId: sticker }
  if (pathname !== '/report') return null
  return { assetId: searchParams.get('assetId'), unitId: searchParams.get('unitId') }
}

/** The form with that chosen. */
const withChosen = (html, { assetId, unitId }) => {
  const place = assetId ? `asset-${assetId}` : `unit-${unitId}`
  return /-\d+$/.test(place) ? html.replace(`<option value="${place}"`, '$& selected') : html
}

/** Each form that is opened is one report, however often it is sent. */
const withKey = (html) => html.replace(/(name="formKey" value=")[^"]*/, `$1${crypto.randomUUID()}`)

/** The form; what waits, when there is no room for another. Null without a copy, or where nothing can be kept. */
const keptForm = async (chosen) => {
  const [page, words] = [await caches.match(reportForm), await caches.match(offline)]
  const rows = await allRows().catch(() => null)
  if (!page || !words || !rows) return null
  if (isFull(rows)) return goTo(`${waiting}?not=room`)
  const headers = headersOf(page)
  // The next person who holds the phone does not find the typed words by going back.
  headers.set('Cache-Control', 'no-store')
  const html = withMoment(await page.text(), page, await words.text())
  return new Response(withKey(withChosen(html, chosen)), { headers })
}

/** What is shown of an address that cannot be fetched. */
const withoutConnection = async (url) => {
  const chosen = chosenAt(url)
  return (chosen && (await keptForm(chosen))) || kept(url.pathname)
}
