// Reports that could not be sent, kept in IndexedDB under the key of their form (decision 7.29). A row's state is waiting,
// refused, shown (refused, and shown to its writer again), or sent, with the address of the incident and no words any more.
const mostReports = 5
const mostBytes = 100_000_000
const day = 86_400_000
const keptFor = 7 * day
/** Milliseconds in which it is told again that a report was sent: a page can be left before it is seen. */
const toldFor = 10_000
/** The server forgets a form's key a day after it stored the report: after that, only a person knows if it came. */
const automaticFor = (20 / 24) * day

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Opens whatever version there is: a worker older or newer than the one that made it reads its rows as well. */
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

const isOver = ({ at, toldAt = Infinity }) => Date.now() - at > keptFor || Date.now() - toldAt > toldFor
/** What a newer worker keeps in a way of its own is left to it. */
const isOurs = ({ fields, state }) => Array.isArray(fields) || state === 'sent'

/** All rows, oldest first; those older than a week go, and what has been told. */
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

/** What needs no one any more makes room. */
const isIdle = (row) => isOver(row) || row.state === 'sent' || row.state === 'shown'
const isFull = (rows) => rows.filter((row) => !isIdle(row)).length >= mostReports

/** Keeps a report, the newest words of a form; false when there is no room. Throws when the phone has none. */
const keepRow = (row) =>
  inRows('readwrite', async (all) => {
    const rows = await done(all.getAll())
    const before = rows.find(({ key }) => key === row.key)
    const others = rows.filter(({ key }) => key !== row.key)
    const live = others.filter((other) => !isIdle(other))
    const bytes = live.reduce((sum, other) => sum + (other.bytes || 0), row.bytes)
    if (isFull(others) || bytes > mostBytes) return false
    if (others.length >= mostReports)
      await Promise.all(others.filter(isIdle).map(({ key }) => done(all.delete(key))))
    await done(all.put({ ...row, at: before ? before.at : row.at }))
    return true
  })
