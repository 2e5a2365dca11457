// What the pages gain from a script, beyond htmx. Everything here is a convenience: no page needs it.
;(() => {
  const announcements = document.getElementById('announcements')
  const byId = (id) => document.getElementById(id)

  /** Status words by asset, so that only a change of state is announced, never a poll. */
  const states = () =>
    new Map([...document.querySelectorAll('#live [data-state]')].map((el) => [el.id, el.dataset.state]))

  let before = states()
  let shown = byId('live') ? byId('live').outerHTML : null
  let focused = null
  let unfolded = []

  /** Where something is, in words that hold for its successor: its own id, or which of its kind in what has one. */
  const placeOf = (element) => {
    const home = element.closest('[id]')
    if (home === element) return { id: home.id }
    return {
      id: home.id,
      tag: element.tagName,
      nth: [...home.querySelectorAll(element.tagName)].indexOf(element),
    }
  }
  const at = ({ id, tag, nth }) => (byId(id) && tag ? byId(id).querySelectorAll(tag)[nth] : byId(id))

  const on = (names, act) => {
    for (const name of names) document.body.addEventListener(name, act)
  }

  // Both lines of htmx name their events differently; the ones a line does not know are never fired.
  on(['htmx:beforeRequest', 'htmx:before:request'], (event) => {
    if (document.hidden && event.target.id === 'live') event.preventDefault()
    else event.target.setAttribute('aria-busy', 'true')
  })
  on(['htmx:afterRequest', 'htmx:finally:request'], (event) => event.target.removeAttribute('aria-busy'))

  /**
   * What did not come is said until something comes; the link beside it asks for the whole page. The words stand in the
   * page only then: text browsers read what is hidden.
   */
  const offline = byId('offline')
  const trouble = (is) => {
    if (!offline) return
    offline.hidden = !is
    if (!is) return
    const { said, retry, at } = offline.dataset
    if (!offline.firstChild) {
      const link = document.createElement('a')
      link.textContent = retry
      offline.append(`${said} `, link)
    }
    offline.lastChild.href = asked() || at
  }
  /** The address of the search as it is typed. */
  const asked = () => {
    const { form } = byId('q') || {}
    return form && `${form.action}?${new URLSearchParams(new FormData(form))}`
  }

  on(['htmx:beforeSwap', 'htmx:before:swap'], (event) => {
    const { serverResponse, xhr, ctx = {} } = event.detail
    const text = serverResponse === undefined ? ctx.text : serverResponse
    trouble((xhr || ctx.response || { status: 200 }).status >= 500)
    const active = document.activeElement || document.body
    focused = active.closest('#live, #found') ? placeOf(active) : null
    if (event.target.id !== 'live') return
    if (text === shown) event.preventDefault()
    shown = text
    unfolded = [...document.querySelectorAll('#live details[open]')].map(({ id }) => id)
  })

  on(['htmx:afterSwap', 'htmx:after:swap'], () => {
    const live = byId('live')
    if (live) afterPoll(live)
    const chosen = byId('chosen')
    if (chosen) afterChoice(chosen)
    const found = byId('found')
    if (found) afterSearch(found)
  })

  on(['htmx:sendError', 'htmx:timeout', 'htmx:responseError', 'htmx:error', 'htmx:response:error'], () =>
    trouble(true),
  )

  const afterPoll = (live) => {
    for (const id of unfolded) if (byId(id)) byId(id).open = true
    if (focused && at(focused)) at(focused).focus({ preventScroll: true })
    const after = states()
    const news = [...after].filter(([id, state]) => before.get(id) !== state).map(([, state]) => state)
    before = after
    document.title = live.dataset.title
    document.querySelector('link[rel=icon]').href = live.dataset.icon
    if (news.length > 0) announcements.textContent = news.join('. ')
  }

  /** What is known of the thing just chosen stands below its field: it is said, and nothing that has the focus moves. */
  let said
  const afterChoice = (chosen) => {
    if (chosen.dataset.said === said) return
    said = chosen.dataset.said
    announcements.textContent = said || ''
  }

  /** What was found is said once typing has come to rest: each pause within a word brings an answer of its own. */
  const rest = 1000
  let saying
  const afterSearch = (found) => {
    // Who has gone on into the list stays with the incident, or goes back to the field when it is not there any more.
    if (focused)
      (focused.id === 'found' ? byId('q') : at(focused) || byId('q')).focus({ preventScroll: true })
    document.title = found.dataset.title
    clearTimeout(saying)
    saying = setTimeout(() => {
      announcements.textContent = found.dataset.said
    }, rest)
  }

  // A new building's zone is where its admin sits, most likely.
  const zone = byId('timezone')
  if (zone && zone.value === 'UTC' && location.search.includes('setup='))
    zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone

  /** "/" goes to the search, unless something is being written. */
  document.addEventListener('keydown', (event) => {
    const field = byId('seek') || byId('q')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field) return
    if (event.target.closest('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    field.focus()
  })

  /** A second press while the first is on its way does nothing; after a while it may be meant. */
  const patience = 8000
  const release = (form) => {
    delete form.dataset.sending
    for (const button of form.querySelectorAll('[aria-disabled]')) button.removeAttribute('aria-disabled')
  }
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (form.method !== 'post') return
      if (form.dataset.sending) {
        event.preventDefault()
        event.stopPropagation()
        return
      }
      form.dataset.sending = 'true'
      for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true')
      setTimeout(release, patience, form)
    },
    true,
  )
  // After everything else: it fetches a page of its own.
  const { serviceWorker } = navigator
  addEventListener('load', () => {
    if (serviceWorker) serviceWorker.register('/worker.js', { updateViaCache: 'none' }).catch(() => {})
  })
  addEventListener('online', () => {
    const { controller } = serviceWorker || {}
    if (controller) controller.postMessage('online')
  })
  addEventListener('pageshow', () => document.querySelectorAll('form[data-sending]').forEach(release))
})()
