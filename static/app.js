// What pages gain from scripts, beyond htmx. All of it is convenience: every page works without.
;(() => {
  const announcements = document.getElementById('announcements')
  const byId = (id) => document.getElementById(id)

  /** Status words by asset, so that only a change of state is announced, never a poll. */
  const states = () =>
    new Map([...document.querySelectorAll('#live [data-state]')].map((el) => [el.id, el.dataset.state]))

  let lastStates = states()
  let lastLiveHtml = byId('live') ? byId('live').outerHTML : null
  let focusPlace = null
  let openDetails = []

  /**
   * Where an element is, so that its successor is found after a swap: its own id, or the id around
   * it with its tag and its number among elements of that tag.
   */
  const placeOf = (element) => {
    const home = element.closest('[id]')
    if (home === element) return { id: home.id }
    return {
      id: home.id,
      tag: element.tagName,
      nth: [...home.querySelectorAll(element.tagName)].indexOf(element),
    }
  }
  const elementAt = ({ id, tag, nth }) => (byId(id) && tag ? byId(id).querySelectorAll(tag)[nth] : byId(id))

  const on = (names, act) => {
    for (const name of names) document.body.addEventListener(name, act)
  }

  // htmx 2 and 4 name their events differently; a name that a version does not know never fires.
  on(['htmx:beforeRequest', 'htmx:before:request'], (event) => {
    if (document.hidden && event.target.id === 'live') event.preventDefault()
    else event.target.setAttribute('aria-busy', 'true')
  })
  on(['htmx:afterRequest', 'htmx:finally:request'], (event) => event.target.removeAttribute('aria-busy'))

  /**
   * Shows that the last request failed, with a link that loads the whole page, until a request
   * succeeds. The text is added only then, because text browsers also read what is hidden.
   */
  const offlineNotice = byId('offline')
  const showOffline = (isOffline) => {
    if (!offlineNotice) return
    offlineNotice.hidden = !isOffline
    if (!isOffline) return
    const { said: message, retry, at: pageAddress } = offlineNotice.dataset
    if (!offlineNotice.firstChild) {
      const link = document.createElement('a')
      link.textContent = retry
      offlineNotice.append(`${message} `, link)
    }
    offlineNotice.lastChild.href = searchAddress() || pageAddress
  }
  /** The address of the search with what is typed now; undefined on pages without a search. */
  const searchAddress = () => {
    const { form } = byId('q') || {}
    return form && `${form.action}?${new URLSearchParams(new FormData(form))}`
  }

  on(['htmx:beforeSwap', 'htmx:before:swap'], (event) => {
    const { serverResponse, xhr, ctx = {} } = event.detail
    const text = serverResponse === undefined ? ctx.text : serverResponse
    showOffline((xhr || ctx.response || { status: 200 }).status >= 500)
    const active = document.activeElement || document.body
    focusPlace = active.closest('#live, #found') ? placeOf(active) : null
    if (event.target.id !== 'live') return
    if (text === lastLiveHtml) event.preventDefault()
    lastLiveHtml = text
    openDetails = [...document.querySelectorAll('#live details[open]')].map(({ id }) => id)
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
    showOffline(true),
  )

  const afterPoll = (live) => {
    for (const id of openDetails) if (byId(id)) byId(id).open = true
    if (focusPlace && elementAt(focusPlace)) elementAt(focusPlace).focus({ preventScroll: true })
    const after = states()
    const news = [...after].filter(([id, state]) => lastStates.get(id) !== state).map(([, state]) => state)
    lastStates = after
    document.title = live.dataset.title
    document.querySelector('link[rel=icon]').href = live.dataset.icon
    if (news.length > 0) announcements.textContent = news.join('. ')
  }

  /**
   * What is known of the selected place appears below its field. Screen readers announce it, and
   * the focus stays where it is.
   */
  let announced
  const afterChoice = (chosen) => {
    if (chosen.dataset.said === announced) return
    announced = chosen.dataset.said
    announcements.textContent = announced || ''
  }

  /**
   * The number of results is announced a second after the last answer: every pause in typing brings
   * an answer of its own. In milliseconds.
   */
  const announceAfter = 1000
  let announcing
  const afterSearch = (found) => {
    // Someone who has moved into the list stays on that report, or returns to the search field when
    // the report is not in the list any more.
    if (focusPlace)
      (focusPlace.id === 'found' ? byId('q') : elementAt(focusPlace) || byId('q')).focus({
        preventScroll: true,
      })
    document.title = found.dataset.title
    clearTimeout(announcing)
    announcing = setTimeout(() => {
      announcements.textContent = found.dataset.said
    }, announceAfter)
  }

  // A new building is most likely in the time zone of the admin who sets it up.
  const zone = byId('timezone')
  if (zone && zone.value === 'UTC' && location.search.includes('setup='))
    zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone

  /** "/" moves the focus to the search, unless someone is typing in a field. */
  document.addEventListener('keydown', (event) => {
    const field = byId('seek') || byId('q')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !field) return
    if (event.target.closest('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    field.focus()
  })

  /**
   * Milliseconds in which a second press does nothing, because the first is still being sent. After
   * that it may be meant.
   */
  const doublePressMs = 8000
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
      setTimeout(release, doublePressMs, form)
    },
    true,
  )
  // After the page has loaded, as the worker fetches pages of its own.
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
