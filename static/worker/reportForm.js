// Sends the report form, and lets the report wait where the network does not take it. No other form
// is touched.

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
const answerUnqueued = async ({ fields }, noticeName) => {
  const page = await caches.match(waiting)
  const typed = fields.filter(([name]) => name === 'title' || name === 'description').map(([, text]) => text)
  return new Response(pageOfUnqueued(await page.text(), typed, noticeName), { headers: headersOf(page) })
}

/**
 * Stores the report and leads to the page of waiting reports. `notices`: the name of the notice
 * there, and of the one when it cannot be stored.
 */
const queueReport = async (row, notices) => {
  // A report is only stored when there is a page that tells its writer so.
  if (!(await caches.match(waiting))) return Response.error()
  const problem = await addWaiting(row).then(
    (isKept) => (isKept ? null : 'full'),
    () => 'failed',
  )
  if (problem) return answerUnqueued(row, notices.unkept || problem)
  if (registration.sync) await registration.sync.register('reports').catch(() => {})
  return goTo(`${waiting}?not=${notices.kept}`)
}

/** The server's answer, whatever it is; the page of waiting reports when there is none. */
const sendOrQueue = async (event) => {
  const row = await rowOf(event.request).catch(() => ({}))
  if (!row.key) return fetch(event.request)
  // A form that was opened without a connection names no writer: it waits, even when there is a
  // connection by now.
  if (new URL(event.request.url).searchParams.has('offline'))
    return queueReport(row, { kept: 'kept', unkept: 'unkept' })
  try {
    const answer = await post(row, 'manual')
    // The form has sent the report itself, so the one that waits under its key is not needed.
    if (answer.type === 'opaqueredirect')
      event.waitUntil(withReportsLock(() => removeRow(row.key)).catch(() => {}))
    return answer
  } catch {
    return noteFailure(await queueReport(row, { kept: 'sent' }))
  }
}
