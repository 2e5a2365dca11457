// The lobby screen: it asks for the next page every 15 seconds, and says when what it shows is old.
// The language is that of 2015 and the functions are no newer: a trailing comma after the last
// argument is enough to stop the script on a screen of 2017.
;(() => {
  /** Milliseconds between two questions, until one has failed, and until a state counts as old. */
  const interval = 15000
  const patience = 10000
  const freshFor = 40000

  const byId = (id) => document.getElementById(id)
  const icon = (page) => page.querySelector('link[rel=icon]')
  let shownAt = performance.now()

  /** What a page needs besides its content: where it differs, the whole page is loaded again. */
  const frameOf = (page) => {
    const files = page.head.querySelectorAll('script, link[rel=stylesheet]')
    const addresses = [].map.call(files, (file) => file.getAttribute('src') || file.getAttribute('href'))
    return addresses.concat(page.documentElement.lang).join(' ')
  }

  /** Status words by asset, of all pages shown so far: only a change of state is announced. */
  const known = {}
  const announce = (page) => {
    const rows = page.querySelectorAll('#live [data-state]')
    const news = []
    for (let i = 0; i < rows.length; i++) {
      const state = rows[i].getAttribute('data-state')
      if (known[rows[i].id] !== undefined && known[rows[i].id] !== state) news.push(state)
      known[rows[i].id] = state
    }
    if (news.length > 0) byId('announcements').textContent = news.join('. ')
  }

  const showAge = () => {
    const stale = byId('stale')
    const isOld = performance.now() - shownAt > freshFor
    if (!stale || stale.hidden !== isOld) return
    // The text is added only when it is true, because text browsers also read what is hidden.
    stale.textContent = isOld ? byId('live').getAttribute('data-said') : ''
    stale.hidden = !isOld
  }

  const show = (page) => {
    const live = byId('live')
    const next = page.getElementById('live')
    // Another release, or a first answer that broke off. The server answers: it is safe to leave.
    if (!live || frameOf(page) !== frameOf(document)) {
      location.reload()
      return
    }
    announce(document)
    live.parentNode.replaceChild(document.adoptNode(next), live)
    document.title = page.title
    icon(document).href = icon(page).href
    announce(document)
    shownAt = performance.now()
  }

  const ask = () => {
    showAge()
    const live = byId('live')
    const request = new XMLHttpRequest()
    request.open('GET', live ? live.getAttribute('data-next') : '/display')
    request.responseType = 'document'
    request.timeout = patience
    request.onload = () => {
      // A network that asks for a sign-in answers 200 with a page of its own.
      const page = request.response
      if (request.status === 200 && page && page.getElementById('live')) show(page)
      showAge()
    }
    request.onloadend = showAge
    request.send()
  }

  setInterval(ask, interval)
  // From here on this script asks. The browser would leave the page for its own page about an
  // error: a comment begins here, and ends behind the line that tells the browser to ask.
  document.write('<!--')
})()
