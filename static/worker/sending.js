// Sends what waits, once: one run at a time, always under the form's own key, and only as the person who wrote it.

/** Milliseconds for a try: half a minute, and as long as its photos take at 10 KB/s. */
const patienceFor = (bytes) => 30_000 + bytes / 10
/** Milliseconds for a page that is asked in between. */
const shortPatience = 10_000

/** Over all tabs and runs of the worker; where there are no locks, the form's key has to do. */
const alone = (act) => (navigator.locks ? navigator.locks.request('reports', act) : act())

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
const post = ({ fields, bytes }, redirect) => {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  const init = { method: 'POST', headers: { Accept: 'text/html' }, body, redirect }
  return fetchWithin(patienceFor(bytes), '/report', init)
}

/** The mark of who is signed in, as the forms have it of who writes; empty for no one. Throws without a connection. */
const writerNow = async () => {
  const init = { headers: { Accept: 'text/html' }, cache: 'no-store' }
  const answer = await fetchWithin(shortPatience, waiting, init)
  if (!answer.ok) throw new Error(answer.status)
  return attribute(await answer.text(), 'data-writer')
}

const ledTo = ({ redirected, url }, path) => redirected && new URL(url).pathname.startsWith(path)
/** Those that another time, or another person, may change. */
const passing = [401, 408, 429]
const isRefusal = ({ status }) => status >= 400 && status < 500 && !passing.includes(status)

/** Tries once, and notes what came of it. Throws without a connection. */
const tryRow = async (row) => {
  const tried = { ...row, triedAt: Date.now() }
  await putRow(tried)
  const answer = await post(row, 'follow')
  const sent = ledTo(answer, '/incidents/')
  const { pathname, search } = new URL(answer.url)
  if (sent) await putRow({ key: row.key, at: row.at, state: 'sent', address: pathname + search })
  else if (isRefusal(answer)) await putRow({ ...tried, state: 'refused' })
  return { answer, sent }
}

/** Whether it may be sent without being asked: by whom is known, and that it cannot have come under a forgotten key. */
const isAutomatic = ({ state, writer, at }) =>
  state === 'waiting' && writer && Date.now() - at < automaticFor && Date.now() >= at

/**
 * Sends what its writer, signed in here, need not be asked about. `interval`: not what was tried so many milliseconds ago.
 * Returns how many were sent. Throws without a connection.
 */
const sendWaiting = (interval = 0) =>
  alone(async () => {
    const mine = (await allRows()).filter(isAutomatic)
    const due = mine.filter(({ triedAt = 0 }) => Date.now() - triedAt >= interval)
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

/** What named no author, as this person's: it is tried again, and refused, as theirs alone. */
const signed = (row, writer) => {
  if (row.writer || !writer) return row
  const fields = row.fields.map(([name, value]) => [name, name === 'writer' ? writer : value])
  return { ...row, writer, fields }
}

/**
 * Sends one because someone pressed "Send now"; what the server says to it is the page they get. `as`: the mark of the
 * person in whose name it goes, as the page said, where it names no author.
 */
const sendNow = (key, as) =>
  alone(async () => {
    const found = await rowAt(key)
    if (!found) return goTo(waiting)
    if (found.state === 'sent') return goTo(found.address)
    const writer = await writerNow()
    if (found.writer && found.writer !== writer)
      return goTo(writer ? `${waiting}?not=other` : `/sign-in?next=${waiting}`)
    if (!found.writer && writer && writer !== as) return goTo(`${waiting}?not=as`)
    const row = signed(found, writer)
    const { answer, sent } = await tryRow(row)
    // A guest is asked who they are, with the report kept where it arrived.
    if (sent || ledTo(answer, '/sign-in')) {
      await removeRow(key)
      const { pathname, search } = new URL(answer.url)
      return goTo(pathname + search)
    }
    if (answer.status === 401) return goTo(`/sign-in?next=${waiting}`)
    if (answer.redirected) return goTo(waiting)
    if (isRefusal(answer)) await putRow({ ...row, state: 'shown' })
    return answer
  }).catch(() => failing(goTo(`${waiting}?not=connection`)))
