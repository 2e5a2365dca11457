// The page of what waits on this phone, and the news of it on other pages. The texts
// come with the page of waiting reports, as `data-words`.

const entities = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" }
const decoded = (text) => text.replace(/&(quot|amp|lt|gt|#39);/g, (_found, name) => entities[name])
const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const wordsIn = (html) => ({
  ...JSON.parse(decoded(attribute(html, 'data-words'))),
  language: attribute(html, 'lang'),
  zone: attribute(html, 'data-zone'),
  writer: attribute(html, 'data-writer'),
})

const linkTo = (address, text) => `<a href="${escaped(address)}">${escaped(text)}</a>`

/**
 * Says whether a form will be sent by itself, or what its writer has to do. Without a connection no
 * one knows who is signed in.
 */
const outlookOf = (row, words) => {
  if (row.state !== 'waiting') return words[row.state]
  if (!row.writer) return words.byHand
  if (words.isLive && row.writer !== words.writer)
    return words.writer ? words.other : kindOf(row) === 'answer' ? words.signInFirst : words.signIn
  if (kindOf(row) === 'answer') return words.byWriter
  if (isAutomatic(row)) return words.automatic
  return kindOf(row) === 'report' ? words.late : words.lateOnReport
}

/** The heading of a row, and the text below it for its writer alone. */
const titleOf = (row, words) => {
  const kind = kindOf(row)
  if (kind === 'report') return { heading: (!row.anonymous && row.title) || words.untitled, text: '' }
  const [number] = /\d+/.exec(row.action)
  const isOwn = words.isLive && words.writer && row.writer === words.writer
  return { heading: words.kinds[kind].on.replace('…', `INC-${number}`), text: isOwn ? row.title : '' }
}

/**
 * A row of the list, as HTML. The title of an anonymous report stays hidden, and so do comments, as
 * another person may hold the phone by now.
 */
const itemOf = (row, words) => {
  const { key, state, at, photos, address, writer } = row
  const kind = words.kinds[kindOf(row)]
  const written = words.written.replace('…', timeOf(new Date(at), words.language, words.zone))
  if (state === 'sent')
    return `<li><p>${escaped(kind.sent)} ${escaped(written)} ${linkTo(address, words.look)}</p></li>`
  const counted = photos ? ` ${words.photos.replace('…', photos)}` : ''
  const button = (name, text, more, style = '') => {
    const attributes = `${style} name="${name}" value="${escaped(key)}"`
    return `<form action="${waiting}"><p>${more}<button${attributes}>${escaped(text)}</button></p></form>`
  }
  const sendButton = () => {
    // Its session has ended: signing in leads back here, and sends it.
    if (writer && words.isLive && !words.writer)
      return `<p><a class="button" href="/sign-in?next=${waiting}">${escaped(words.signInNow)}</a></p>`
    if (writer) return button('send', kindOf(row) === 'answer' ? words.tryAgain : words.send, '')
    // The button says in whose name the form will be sent.
    return button(
      'send',
      words.sendAs || words.send,
      `<input type="hidden" name="as" value="${words.writer}">`,
    )
  }
  const { heading, text } = titleOf(row, words)
  const quote = text && `<blockquote dir="auto">${escaped(text)}</blockquote>`
  return `<li><h2>${escaped(heading)}</h2>
${quote}
<p class="hint">${escaped(written + counted)}</p>
<p>${escaped(outlookOf(row, words))}</p>
${sendButton()}
<details><summary>${escaped(kind.discard)}</summary>
${button('discard', kind.discardNow, '', ' class="second"')}
</details></li>`
}

const withList = (html, list) =>
  html.replace(/(<div id="waiting"[^>]*>)[\s\S]*?<\/div>/, (_found, start) => `${start}${list}</div>`)

const alert = (text) => `<p class="trouble" role="alert">${escaped(text)}</p>`

/** The notice of that name; of what was stored, the one of its kind. */
const noticeOf = (words, noticeName, kind) => {
  const { saved } = words.kinds[kind] || words.kinds.report
  if (noticeName === 'sent') return `${words.notices.offline} ${saved}`
  return noticeName === 'kept' ? saved : words.notices[noticeName]
}

/**
 * The page of what waits with the list of this phone's. `query`: names the notice that the address
 * asks for, such as why a report was not sent. `isLive`: the page is not a copy, and knows who is
 * signed in.
 */
const pageOfWaiting = (html, rows, query, isLive) => {
  const words = { ...wordsIn(html), isLive }
  const noticeName = query.get('not')
  const items = rows.map((row) => itemOf(row, words)).join('\n')
  const listed = rows.length > 0 ? withList(html, `<ul>${items}</ul>`) : html
  const notice = noticeApplies(noticeName, rows) && noticeOf(words, noticeName, query.get('kind'))
  return notice ? withLine(listed, alert(notice)) : listed
}

/**
 * Whether a notice is still true when its page is loaded again. That a report waits is true while
 * one does; why a button did nothing is true while a report with buttons is listed.
 */
const noticeApplies = (noticeName, rows) => {
  const saysOneWaits = noticeName === 'sent' || noticeName === 'kept'
  return rows.some(({ state }) => (saysOneWaits ? state === 'waiting' : state !== 'sent'))
}

/** The page of waiting reports for one that was not stored, with what was typed, for copying. */
const pageOfUnqueued = (html, typed, noticeName) => {
  const quotes = typed.filter(Boolean).map((text) => `<blockquote>${escaped(text)}</blockquote>`)
  return withLine(withList(html, quotes.join('')), alert(wordsIn(html).notices[noticeName]))
}

/** The lines above any other page, as HTML; empty when there is no news. */
const newsOf = (rows, words) => {
  const line = (style, text, link) =>
    `<p class="${style}" lang="${words.language}" role="status">${escaped(text)} ${link}</p>`
  const newsOn = (row, state) => words.kinds[kindOf(row)].news[state]
  const lines = rows
    .filter(({ state }) => state === 'sent')
    .map((row) => line('notice', newsOn(row, 'sent'), linkTo(row.address, words.look)))
  // However many were refused or wait, one line leads to the page with all of them.
  for (const state of ['refused', 'waiting']) {
    const first = rows.find((row) => row.state === state)
    if (first) lines.push(line('trouble', newsOn(first, state), linkTo(waiting, words.lookWaiting)))
  }
  return lines.join('')
}

/** The headers of an answer whose body has been changed. */
const headersOf = ({ headers }) => {
  const own = new Headers(headers)
  for (const name of ['Content-Encoding', 'Content-Length', 'ETag']) own.delete(name)
  return own
}

const isPage = ({ ok, headers }) => ok && /^text\/html/.test(headers.get('Content-Type') || '')

/** Stores that people have read that these reports were sent. */
const noteShown = (rows) =>
  Promise.all(
    rows
      .filter(({ state, toldAt }) => state === 'sent' && !toldAt)
      .map((row) => putRow({ ...row, toldAt: Date.now() })),
  )

/**
 * A page with the news of reports that wait or were sent; that one was sent is news once. Any other
 * answer stays as it is.
 */
const withNews = async (answer, rows) => {
  if (!isPage(answer) || rows.every(({ state }) => state === 'shown')) return answer
  const wordsPage = (await caches.match(waiting)) || (await fetch(guest(waiting)))
  const news = newsOf(rows, wordsIn(await wordsPage.text()))
  const page = new Response(withLine(await answer.text(), news), { headers: headersOf(answer) })
  await noteShown(rows)
  return page
}

const delay = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
/** Milliseconds for which the page of waiting reports waits until they have been sent. */
const sendingWait = 5000

/** Whether sending has just failed: the page of waiting reports then does not try again. */
let justFailed = false

const noteFailure = (answer) => {
  justFailed = true
  return answer
}

/** The page of waiting reports. It sends them first, or does what a button on it asks for. */
const waitingPage = async (url) => {
  const query = new URL(url).searchParams
  if (query.get('send')) return sendNow(query.get('send'), query.get('as'))
  if (query.get('discard')) {
    await withReportsLock(() => removeRow(query.get('discard')))
    return goTo(waiting)
  }
  if (!justFailed) await Promise.race([sendWaiting(), delay(sendingWait)]).catch(() => {})
  justFailed = false
  const init = { headers: { Accept: 'text/html' } }
  const answer = await fetchWithin(pageTimeout, waiting, init).catch(() => null)
  const page = answer && isPage(answer) ? answer : (await caches.match(waiting)) || answer
  if (!page || !isPage(page)) return page || Response.error()
  const rows = await allRows()
  const listed = pageOfWaiting(await page.text(), rows, query, page === answer)
  await noteShown(rows)
  return new Response(listed, { headers: headersOf(page) })
}

/** Sends, and reloads open pages of waiting reports when something was sent. */
const sendAndReload = async (interval) => {
  if ((await sendWaiting(interval)) === 0) return
  for (const client of await clients.matchAll({ type: 'window' }))
    if (new URL(client.url).pathname === waiting) await client.navigate(waiting).catch(() => {})
}

/**
 * A page with the news of waiting reports; `without` makes the one without a connection, and
 * `onAnswer` is shown the answer of the server.
 */
const pageWithNews = async (request, without, onAnswer = () => {}) => {
  const reading = allRows().catch(() => [])
  const fetched = await fetch(request).catch(() => null)
  if (fetched) onAnswer(fetched)
  const answer = fetched || (await without())
  const rows = await reading
  return rows.length > 0 ? withNews(answer, rows) : answer
}
