// Reports, comments and answers that could not be sent, stored in IndexedDB under the key of their
// form (decision 7.29). All but reports have their fields as `entries`: workers that know reports
// alone leave them to a newer one.
// The state of a row is `waiting`; `refused` by the server; `shown`: refused, and its writer has
// seen why; or `sent`: then the row has the address of the incident, and no text any more.
const mostReports = 5
const mostBytes = 100_000_000
const day = 86_400_000
const rowLifetime = 7 * day
/**
 * Milliseconds for which pages repeat that a report was sent: someone may leave the first one
 * before they read it.
 */
const newsLifetime = 10_000
/**
 * Milliseconds for which a report is sent without asking. The server forgets the key of a form a
 * day after it stored the report: after that, only a person can tell whether it has arrived.
 */
const automaticFor = (20 / 24) * day

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * Opens whatever version there is: older and newer workers read the rows of the worker that made
 * the database.
 */
const openRows = () => {
  const request = indexedDB.open('reports')
  request.onupgradeneeded = () => request.result.createObjectStore('waiting', { keyPath: 'key' })
  return done(request)
}

/** Runs `act` in one transaction; it may wait for requests of its own and nothing else. */
const inRows = async (mode, act) => {
  const database = await openRows()
  try {
    const transaction = database.transaction('waiting', mode)
    const finished = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    const [result] = await Promise.all([act(transaction.objectStore('waiting')), finished])
    return result
  } finally {
    database.close()
  }
}

// `toldAt`, of sent reports: when a page said so. Rows of phones have it under this name.
const isOver = ({ at, toldAt = Infinity }) =>
  Date.now() - at > rowLifetime || Date.now() - toldAt > newsLifetime
/** Rows that a newer worker stores in another form are left to that worker. */
const isOurs = ({ fields, entries, state }) => Array.isArray(fields || entries) || state === 'sent'
const fieldsOf = ({ fields, entries }) => fields || entries
/** What a row is: `report`, or a `comment`, `follow` or `answer` on one. */
const kindOf = ({ kind = 'report' }) => kind

/**
 * All rows, oldest first. Deletes those that are older than a week, and those of sent reports that
 * pages have said.
 */
const allRows = async () => {
  const rows = (await inRows('readonly', (all) => done(all.getAll()))).filter(isOurs)
  const over = rows.filter(isOver)
  if (over.length > 0)
    await inRows('readwrite', (all) => Promise.all(over.map(({ key }) => done(all.delete(key)))))
  return rows.filter((row) => !isOver(row)).sort((a, b) => a.at - b.at)
}

const rowAt = async (key) => (await allRows()).find((row) => row.key === key)
const putRow = (row) => inRows('readwrite', (all) => done(all.put(row)))
const removeRow = (key) => inRows('readwrite', (all) => done(all.delete(key)))

/** Whether a row may be deleted to make room: no one has to do anything about it. */
const isDisposable = (row) => isOver(row) || row.state === 'sent' || row.state === 'shown'
const isFull = (rows) => rows.filter((row) => !isDisposable(row)).length >= mostReports

/**
 * Stores a form in place of an earlier one from the same form; false when there are too many.
 * Throws when the phone has no room.
 */
const addWaiting = (row) =>
  inRows('readwrite', async (all) => {
    const rows = await done(all.getAll())
    const before = rows.find(({ key }) => key === row.key)
    const others = rows.filter(({ key }) => key !== row.key)
    const live = others.filter((other) => !isDisposable(other))
    const bytes = live.reduce((sum, other) => sum + (other.bytes || 0), row.bytes)
    if (isFull(others) || bytes > mostBytes) return false
    if (others.length >= mostReports)
      await Promise.all(others.filter(isDisposable).map(({ key }) => done(all.delete(key))))
    await done(all.put({ ...row, at: before ? before.at : row.at }))
    return true
  })
