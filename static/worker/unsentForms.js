// Forms that are never sent later, such as those of staff: without a connection they are answered
// by a small page that has what was typed and a button for another try. Nothing is stored.

/** Fields with sentences, which are shown as well. */
const textFields = ['title', 'description', 'body', 'note', 'costNote']
/** Forms whose fields the small page carries; others may have a secret in them. */
const carriedAddresses = /^\/(incidents|assets|report|admin)(\/|$)/
const secretField = /secret|password|token/i

/**
 * Whether a page of ours sends this form. What the worker sends comes from us in the eyes of the
 * server, so a form of another site, or of a page that hides its address, is left to the browser.
 */
const isFromUs = ({ referrer }) => referrer.startsWith(`${location.origin}/`)

/** The form with the same fields again, as HTML; files cannot be in it. */
const formAgain = (url, fields, words) => {
  const files = fields.filter(([, value]) => typeof value !== 'string')
  const texts = fields.filter(([, value]) => typeof value === 'string')
  const inputs = texts.map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const encoding = files.length > 0 || words.isMultipart ? ' enctype="multipart/form-data"' : ''
  const note = files.some(({ 1: { name } }) => name) ? `<p>${escaped(words.withoutFiles)}</p>` : ''
  return `<form method="post" action="${escaped(url.pathname + url.search)}"${encoding}>
${inputs.join('')}${note}<p><button>${escaped(words.again)}</button></p></form>`
}

/** What the small page says below its heading, as HTML. */
const unsentText = ({ url, form, isMultipart }, words) => {
  const { pathname } = url
  if (pathname === '/sign-out') return `<p>${escaped(words.signedIn)}</p>${formAgain(url, form, words)}`
  const isSecret = form.some(([name]) => name !== 'formToken' && secretField.test(name))
  if (!carriedAddresses.test(pathname) || isSecret) return `<p>${escaped(words.goBack)}</p>`
  const typed = form.filter(
    ([name, value]) => textFields.includes(name) && typeof value === 'string' && value.trim(),
  )
  const quotes = typed.map(([, text]) => `<blockquote class="prose" dir="auto">${escaped(text)}</blockquote>`)
  const kept = typed.length > 0 ? `<p>${escaped(words.kept)}</p>${quotes.join('')}` : ''
  return kept + formAgain(url, form, { ...words, isMultipart })
}

/** The small page for a form that was not sent. */
const unsentPage = async (request) => {
  const page = await caches.match(offline)
  if (!page) return Response.error()
  const form = [...(await request.formData())]
  const html = await page.text()
  const words = JSON.parse(decoded(attribute(html, 'data-unsent')))
  const isMultipart = /^multipart/.test(request.headers.get('Content-Type') || '')
  const text = unsentText({ url: new URL(request.url), form, isMultipart }, words)
  const main = `<h1>${escaped(words.title)}</h1><div id="unsent" role="alert">${text}</div>`
  const headers = headersOf(page)
  // The next person who holds the phone must not find the typed text by going back.
  headers.set('Cache-Control', 'no-store')
  return new Response(
    html.replace(/(<main[^>]*>)[\s\S]*?<\/main>/, (_found, start) => `${start}${main}</main>`),
    { headers },
  )
}

/** The server's answer, whatever it is; the small page when there is none. */
const sendOrSay = async (request) => {
  const copy = request.clone()
  try {
    return await fetch(request)
  } catch {
    return unsentPage(copy).catch(() => Response.error())
  }
}

/**
 * Signs out. Pages are forgotten at once, and again after the answer: until then the server takes
 * whoever asks for a page for the one who signs out.
 */
const signOut = async (request) => {
  const forgetting = forgetSeen()
  const answer = await sendOrSay(request)
  await forgetting
  await forgetSeen()
  return answer
}
