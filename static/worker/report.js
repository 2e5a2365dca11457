// The report form on its way: what the network does not take is kept. No other write is touched.

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

/** Answers the form itself, so that loading the page again sends it again, with what is on it for copying. */
const notKept = async ({ fields }, not) => {
  const page = await caches.match(waiting)
  const typed = fields.filter(([name]) => name === 'title' || name === 'description').map(([, text]) => text)
  return new Response(unkeptIn(await page.text(), typed, not), { headers: headersOf(page) })
}

/** Keeps it and leads to what waits; `said`: with which notice, and with which one if it cannot be kept. */
const keepReport = async (row, said) => {
  // Without the page that says so, nothing is kept behind anyone's back.
  if (!(await caches.match(waiting))) return Response.error()
  const not = await keepRow(row).then(
    (isKept) => (isKept ? null : 'full'),
    () => 'failed',
  )
  if (not) return notKept(row, said.unkept || not)
  if (registration.sync) await registration.sync.register('reports').catch(() => {})
  return goTo(`${waiting}?not=${said.kept}`)
}

/** The server's answer, whatever it is; the page of what waits, when there is none. */
const sentOrKept = async (event) => {
  const row = await rowOf(event.request).catch(() => ({}))
  if (!row.key) return fetch(event.request)
  // Opened without a connection: it waits even if there is one by now, as no one has said whose it is.
  if (new URL(event.request.url).searchParams.has('offline'))
    return keepReport(row, { kept: 'kept', unkept: 'unkept' })
  try {
    const answer = await post(row, 'manual')
    // Sent from the form itself meanwhile: what waits under its key need not.
    if (answer.type === 'opaqueredirect') event.waitUntil(alone(() => removeRow(row.key)).catch(() => {}))
    return answer
  } catch {
    return failing(await keepReport(row, { kept: 'sent' }))
  }
}

const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** Milliseconds a page waits for what is being sent. */
const briefly = 5000

/** Whether sending has failed just now: the page that says so need not try. */
let justFailed = false

const failing = (answer) => {
  justFailed = true
  return answer
}

/** The page of what waits; it sends first. */
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

/** Sends, and shows it where someone looks at what waits. */
const sendAndTell = async (interval) => {
  if ((await sendWaiting(interval)) === 0) return
  for (const client of await clients.matchAll({ type: 'window' }))
    if (new URL(client.url).pathname === waiting) await client.navigate(waiting).catch(() => {})
}

/** A page asked for, with the news of what waits; `without`: what is shown without a connection. */
const pageWithNews = async (request, without) => {
  const reading = allRows().catch(() => [])
  const answer = await fetch(request).catch(without)
  const rows = await reading
  return rows.length > 0 ? withNews(answer, rows) : answer
}
