// What is said of the reports that wait. The words are the catalogue's: the page of what waits carries them.

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

/** What becomes of a report by itself, or what someone has to do. */
const outlookOf = (row, words) => {
  if (row.state !== 'waiting') return words[row.state]
  if (!row.writer) return words.byHand
  return isAutomatic(row) ? words.automatic : words.late
}

/** The title of what is to be anonymous stays hidden: another person may hold the phone by now. */
const itemOf = (row, words) => {
  const { key, state, at, anonymous, title, photos, address, writer } = row
  const written = words.written.replace('…', timeOf(new Date(at), words.language, words.zone))
  if (state === 'sent')
    return `<li><p>${escaped(words.sent)} ${escaped(written)} ${linkTo(address, words.look)}</p></li>`
  const counted = photos ? ` ${words.photos.replace('…', photos)}` : ''
  const button = (name, text, more, style = '') =>
    `<form action="${waiting}"><p>${more}<button${style} name="${name}" value="${escaped(key)}">${escaped(text)}</button></p></form>`
  // Whose name it gets is said before it is sent.
  const send = writer
    ? button('send', words.send, '')
    : button('send', words.sendAs || words.send, `<input type="hidden" name="as" value="${words.writer}">`)
  return `<li><h2>${escaped((!anonymous && title) || words.untitled)}</h2>
<p class="hint">${escaped(written + counted)}</p>
<p>${escaped(outlookOf(row, words))}</p>
${send}
<details><summary>${escaped(words.discard)}</summary>
${button('discard', words.discardNow, '', ' class="second"')}
</details></li>`
}

const withList = (html, list) =>
  html.replace(/(<div id="waiting"[^>]*>)[\s\S]*?<\/div>/, (_found, start) => `${start}${list}</div>`)

const alert = (text) => `<p class="trouble" role="alert">${escaped(text)}</p>`

/** The page of what waits, with what waits on this phone. `not`: why what was asked did not come about. */
const listIn = (html, rows, not) => {
  const words = wordsIn(html)
  const items = rows.map((row) => itemOf(row, words)).join('\n')
  const listed = rows.length > 0 ? withList(html, `<ul>${items}</ul>`) : html
  // What was said of a report that waits is over once none does; of what was pressed, once nothing is listed to press.
  const isOfKeeping = not === 'sent' || not === 'kept'
  const isTrue = rows.some(({ state }) => (isOfKeeping ? state === 'waiting' : state !== 'sent'))
  const said = isTrue && words.notices[not]
  return said ? withLine(listed, alert(said)) : listed
}

/** The same page, with what was typed in place of the list: it was not kept. */
const unkeptIn = (html, typed, not) => {
  const said = typed.filter(Boolean).map((text) => `<blockquote>${escaped(text)}</blockquote>`)
  return withLine(withList(html, said.join('')), alert(wordsIn(html).notices[not]))
}

/** The line above any other page; empty when there is nothing to say. */
const newsOf = (rows, words) => {
  const of = (state) => rows.filter((row) => row.state === state)
  const lines = [
    ...of('sent').map(({ address }) => [words.news.sent, address]),
    ...of('refused')
      .slice(0, 1)
      .map(() => [words.news.refused, waiting]),
    ...of('waiting')
      .slice(0, 1)
      .map(() => [words.news.waiting, waiting]),
  ]
  return lines
    .map(
      ([text, address]) =>
        `<p class="notice" lang="${words.language}" role="status">${escaped(text)} ${linkTo(address, words.look)}</p>`,
    )
    .join('')
}

/** The headers of an answer whose text is another now. */
const headersOf = ({ headers }) => {
  const own = new Headers(headers)
  for (const name of ['Content-Encoding', 'Content-Length', 'ETag']) own.delete(name)
  return own
}

const isPage = ({ ok, headers }) => ok && /^text\/html/.test(headers.get('Content-Type') || '')

/** Notes that people have been told of what was sent. */
const noteShown = (rows) =>
  Promise.all(
    rows
      .filter(({ state, toldAt }) => state === 'sent' && !toldAt)
      .map((row) => putRow({ ...row, toldAt: Date.now() })),
  )

/** A page with the news of what waits or was sent, once; any other answer as it is. */
const withNews = async (answer, rows) => {
  if (!isPage(answer) || rows.every(({ state }) => state === 'shown')) return answer
  const said = (await caches.match(waiting)) || (await fetch(guest(waiting)))
  const line = newsOf(rows, wordsIn(await said.text()))
  const page = new Response(withLine(await answer.text(), line), { headers: headersOf(answer) })
  await noteShown(rows)
  return page
}
