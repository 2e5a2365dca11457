// Sends reports, comments, "I have this too" and answers, and lets them wait where the network does
// not take them. No other form is touched.

/** What the forms on a report are, by the end of their address. */
const kinds = { updates: 'comment', follow: 'follow', verify: 'answer' }

/** What the form of this address is; nothing for one that does not wait. */
const kindAt = (pathname) => {
  if (pathname === '/report') return 'report'
  const [, act] = /^\/incidents\/\d+\/(updates|follow|verify)$/.exec(pathname) || []
  return kinds[act]
}

const rowOf = async (request) => {
  const form = await request.clone().formData()
  // An update of the office is about the moment, and goes when it is written or not at all.
  if (form.has('version') || form.has('noteOnly')) return {}
  const { pathname } = new URL(request.url)
  const kind = kindAt(pathname)
  const text = (name) => (typeof form.get(name) === 'string' ? form.get(name) : '')
  // A page with a button for each of several reports has no key for them.
  const key = text('formKey') || (kind === 'follow' ? crypto.randomUUID() : '')
  form.set('formKey', key)
  // An input without a file is sent as an empty one.
  const fields = [...form].filter(([, value]) => typeof value === 'string' || value.name)
  const files = fields.filter(([, value]) => typeof value !== 'string')
  return {
    key,
    at: Date.now(),
    ...(kind === 'report' ? { fields } : { kind, action: pathname, entries: fields }),
    title: text('title') || text('body'),
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
const answerUnqueued = async (row, noticeName) => {
  const page = await caches.match(waiting)
  const texts = ['title', 'description', 'body']
  const typed = fieldsOf(row)
    .filter(([name]) => texts.includes(name))
    .map(([, text]) => text)
  return new Response(pageOfUnqueued(await page.text(), typed, noticeName), { headers: headersOf(page) })
}

/**
 * Stores the form and leads to the page of waiting reports. `notices`: the name of the notice
 * there, and of the one when it cannot be stored.
 */
const queueForm = async (row, notices) => {
  // A form is only stored when there is a page that tells its writer so.
  if (!(await caches.match(waiting))) return Response.error()
  const problem = await addWaiting(row).then(
    (isKept) => (isKept ? null : 'full'),
    () => 'failed',
  )
  if (problem) return answerUnqueued(row, notices.unkept || problem)
  if (registration.sync) await registration.sync.register('reports').catch(() => {})
  return goTo(`${waiting}?not=${notices.kept}&kind=${kindOf(row)}`)
}

/**
 * The server's answer, whatever it is; the page of waiting reports when there is none. `send`:
 * sends a form that may not wait.
 */
const sendOrQueue = async (event, send) => {
  const row = await rowOf(event.request).catch(() => ({}))
  if (!row.key) return send(event.request)
  // A form that was opened without a connection names no writer: it waits, even when there is a
  // connection by now.
  if (new URL(event.request.url).searchParams.has('offline'))
    return queueForm(row, { kept: 'kept', unkept: 'unkept' })
  try {
    const answer = await post(row, 'manual')
    // The form was sent after all, so the one that waits under its key is not needed.
    if (answer.type === 'opaqueredirect')
      event.waitUntil(withReportsLock(() => removeRow(row.key)).catch(() => {}))
    return answer
  } catch {
    return noteFailure(await queueForm(row, { kept: 'sent' }))
  }
}
