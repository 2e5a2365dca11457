// Sends each waiting form once: one run at a time, always under the key of its form, and only as
// the person who wrote it.

/** Milliseconds for a try: half a minute, and as long as its photos take at 10 KB/s. */
const sendTimeout = (bytes) => 30_000 + bytes / 10
/** Milliseconds for a page that is fetched before or after sending. */
const pageTimeout = 10_000

/**
 * Runs `act` alone, across all tabs and runs of the worker. Where a browser has no locks, the key
 * of the form alone prevents a second report.
 */
const withReportsLock = (act) => (navigator.locks ? navigator.locks.request('reports', act) : act())

/** A fetch that is given up after so many milliseconds. */
const fetchWithin = async (milliseconds, address, init) => {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), milliseconds)
  try {
    return await fetch(address, { ...init, signal: giveUp.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** Sends the form's fields to the form's address, as the form would. */
const post = (row, redirect) => {
  // Forms without photos are not read as multipart.
  const body = ['follow', 'answer'].includes(kindOf(row)) ? new URLSearchParams() : new FormData()
  for (const [name, value] of fieldsOf(row)) body.append(name, value)
  // A refused button leads back to the page it was on.
  const referrer = row.action ? row.action.replace(/\/\w+$/, '') : 'about:client'
  const init = { method: 'POST', headers: { Accept: 'text/html' }, body, redirect, referrer }
  return fetchWithin(sendTimeout(row.bytes), row.action || '/report', init)
}

/**
 * The mark of the person who is signed in now, as forms carry it; empty for no one. Throws without
 * a connection.
 */
const writerNow = async () => {
  const init = { headers: { Accept: 'text/html' }, cache: 'no-store' }
  const answer = await fetchWithin(pageTimeout, waiting, init)
  if (!answer.ok) throw new Error(answer.status)
  return attribute(await answer.text(), 'data-writer')
}

const isRedirectTo = ({ redirected, url }, path) => redirected && new URL(url).pathname.startsWith(path)
/** Statuses that are no refusal: another try, or another person, may be successful. */
const retryableStatuses = [401, 408, 429]
/** The server says why it refuses a mere button on the page that the button is on. */
const isRefusal = ({ status, redirected, url }) =>
  redirected
    ? /[?&]notice=refused-/.test(url)
    : status >= 400 && status < 500 && !retryableStatuses.includes(status)

/** Tries once, and stores the outcome. Throws without a connection. */
const tryRow = async (row) => {
  const tried = { ...row, triedAt: Date.now() }
  await putRow(tried)
  const answer = await post(row, 'follow')
  const sent = isRedirectTo(answer, '/incidents/') && !isRefusal(answer)
  const { pathname, search } = new URL(answer.url)
  const { key, at, kind } = row
  if (sent) await putRow({ key, at, kind, state: 'sent', address: pathname + search })
  else if (isRefusal(answer)) await putRow({ ...tried, state: 'refused' })
  return { answer, sent }
}

/**
 * Whether a form may be sent without asking: its writer is known, and the server still knows the
 * key of the form, in case an earlier try has arrived. What was true of a repair when someone
 * answered may be true no longer, so an answer waits for its writer.
 */
const isAutomatic = (row) =>
  row.state === 'waiting' &&
  row.writer &&
  kindOf(row) !== 'answer' &&
  Date.now() - row.at < automaticFor &&
  Date.now() >= row.at

/**
 * Sends the reports of the person who is signed in here that need no question. `interval`:
 * milliseconds between two tries of one report. Returns how many were sent. Throws without a
 * connection.
 */
const sendWaiting = (interval = 0) =>
  withReportsLock(async () => {
    const automatic = (await allRows()).filter(isAutomatic)
    const due = automatic.filter(({ triedAt = 0 }) => Date.now() - triedAt >= interval)
    if (due.length === 0) return 0
    const writer = await writerNow()
    let count = 0
    for (const row of due.filter((each) => each.writer === writer)) {
      const { answer, sent } = await tryRow(row)
      if (sent) count += 1
      else if (!isRefusal(answer)) break
    }
    return count
  })

const goTo = (address) => Response.redirect(new URL(address, location.origin).href, 303)

/** A form without a writer becomes this person's: from now on only they can send it. */
const withWriter = (row, writer) => {
  if (row.writer || !writer) return row
  const fields = fieldsOf(row).map(([name, value]) => [name, name === 'writer' ? writer : value])
  return { ...row, writer, [row.fields ? 'fields' : 'entries']: fields }
}

/**
 * Sends one form because someone pressed "Send now", and shows the server's answer. `as`: for a
 * report without a writer, the mark of the person in whose name the page said it would be sent.
 */
const sendNow = (key, as) =>
  withReportsLock(async () => {
    const stored = await rowAt(key)
    if (!stored) return goTo(waiting)
    if (stored.state === 'sent') return goTo(stored.address)
    const writer = await writerNow()
    if (stored.writer && stored.writer !== writer)
      return goTo(writer ? `${waiting}?not=other` : `/sign-in?next=${waiting}`)
    if (!stored.writer && writer && writer !== as) return goTo(`${waiting}?not=as`)
    // The server keeps a guest's report until they have signed in, and nothing else of theirs.
    if (!writer && kindOf(stored) !== 'report') return goTo(`/sign-in?next=${waiting}`)
    const row = withWriter(stored, writer)
    const { answer, sent } = await tryRow(row)
    // The server keeps the report of a guest, and leads to the sign-in page.
    const { pathname, search } = new URL(answer.url)
    if (sent || isRedirectTo(answer, '/sign-in')) {
      await removeRow(key)
      return goTo(pathname + search)
    }
    if (answer.status === 401) return goTo(`/sign-in?next=${waiting}`)
    if (isRefusal(answer)) await putRow({ ...row, state: 'shown' })
    if (answer.redirected) return goTo(isRefusal(answer) ? pathname + search : waiting)
    return answer
  }).catch(() => noteFailure(goTo(`${waiting}?not=connection`)))
