// Sends the report form, and stores the report where the network does not take it. No other form is
// touched.

const rowOf = async (request) => {
  const form = await request.clone().formData()
  const text = (name) => (typeof form.get(name) === 'string' ? form.get(name) : '')
  // An input without a file is sent as an empty one.
  const fields = [...form].filter(([, value]) => typeof value === 'string' || value.name)
  const files = fields.filter(([, value]) => typeof value !== 'string')
  return {
    key: text('formKey'),
    at: Date.now(),
    fields,
    title: text('title'),
    writer: text('writer'),
    anonymous: text('isAnonymous') === 'true',
    photos: files.length,
    bytes: fields.reduce(
      (sum, [, value]) => sum + (typeof value === 'string' ? value.length : value.size),
      0,
    ),
    state: 'waiting',
  }
}

/**
 * Answers the form itself, so that loading the page again sends it again; with what was typed, for
 * copying.
 */
const notKept = async ({ fields }, noticeName) => {
  const page = await caches.match(waiting)
  const typed = fields.filter(([name]) => name === 'title' || name === 'description').map(([, text]) => text)
  return new Response(unkeptIn(await page.text(), typed, noticeName), { headers: headersOf(page) })
}

/**
 * Stores the report and leads to the page of waiting reports. `notices`: the name of the notice
 * there, and of the one when it cannot be stored.
 */
const keepReport = async (row, notices) => {
  // A report is only stored when there is a page that tells its writer so.
  if (!(await caches.match(waiting))) return Response.error()
  const problem = await keepRow(row).then(
    (isKept) => (isKept ? null : 'full'),
    () => 'failed',
  )
  if (problem) return notKept(row, notices.unkept || problem)
  if (registration.sync) await registration.sync.register('reports').catch(() => {})
  return goTo(`${waiting}?not=${notices.kept}`)
}

/** The server's answer, whatever it is; the page of waiting reports when there is none. */
const sentOrKept = async (event) => {
  const row = await rowOf(event.request).catch(() => ({}))
  if (!row.key) return fetch(event.request)
  // A form that was opened without a connection names no writer: it waits, even when there is a
  // connection by now.
  if (new URL(event.request.url).searchParams.has('offline'))
    return keepReport(row, { kept: 'kept', unkept: 'unkept' })
  try {
    const answer = await post(row, 'manual')
    // The form has sent the report itself, so the one that waits under its key is not needed.
    if (answer.type === 'opaqueredirect') event.waitUntil(alone(() => removeRow(row.key)).catch(() => {}))
    return answer
  } catch {
    return failing(await keepReport(row, { kept: 'sent' }))
  }
}

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** Milliseconds for which the page of waiting reports waits until they have been sent. */
const briefly = 5000

/** Whether sending has just failed: the page of waiting reports then does not try again. */
let justFailed = false

const failing = (answer) => {
  justFailed = true
  return answer
}

/** The page of waiting reports. It sends them first, or does what a button on it asks for. */
const waitingPage = async (url) => {
  const asked = new URL(url).searchParams
  if (asked.get('send')) return sendNow(asked.get('send'), asked.get('as'))
  if (asked.get('discard')) {
    await alone(() => removeRow(asked.get('discard')))
    return goTo(waiting)
  }
  if (!justFailed) await Promise.race([sendWaiting(), after(briefly)]).catch(() => {})
  justFailed = false
  const init = { headers: { Accept: 'text/html' } }
  const answer = await fetchWithin(shortPatience, waiting, init).catch(() => null)
  const page = answer && isPage(answer) ? answer : (await caches.match(waiting)) || answer
  if (!page || !isPage(page)) return page || Response.error()
  const rows = await allRows()
  const shown = listIn(await page.text(), rows, asked.get('not'))
  await noteShown(rows)
  return new Response(shown, { headers: headersOf(page) })
}

/** Sends, and loads open pages of waiting reports again when something was sent. */
const sendAndTell = async (interval) => {
  if ((await sendWaiting(interval)) === 0) return
  for (const client of await clients.matchAll({ type: 'window' }))
    if (new URL(client.url).pathname === waiting) await client.navigate(waiting).catch(() => {})
}

/** A page with the news of waiting reports; `without` makes the one without a connection. */
const pageWithNews = async (request, without) => {
  const reading = allRows().catch(() => [])
  const answer = await fetch(request).catch(without)
  const rows = await reading
  return rows.length > 0 ? withNews(answer, rows) : answer
}
