// What the pages gain from a script, beyond htmx. Everything here is a convenience: no page needs it.
;(() => {
  const announcements = document.getElementById('announcements')

  /** Status words by asset, so that only a change of state is announced, never a poll. */
  const states = () =>
    new Map([...document.querySelectorAll('#live [data-state]')].map((el) => [el.id, el.dataset.state]))

  let before = states()
  let shown = document.getElementById('live')?.outerHTML
  let open = []

  const on = (names, act) => {
    for (const name of names) document.body.addEventListener(name, act)
  }

  // Both lines of htmx name their events differently; the ones a line does not know are never fired.
  on(['htmx:beforeRequest', 'htmx:before:request'], (event) => {
    if (document.hidden && event.target.id === 'live') event.preventDefault()
  })

  on(['htmx:beforeSwap', 'htmx:before:swap'], (event) => {
    const text = event.detail.serverResponse ?? event.detail.ctx?.text
    if (event.target.id !== 'live') return
    if (text === shown) event.preventDefault()
    shown = text
    open = [...document.querySelectorAll('#live details[open]')].map(({ id }) => id)
  })

  on(['htmx:afterSettle', 'htmx:after:settle'], () => {
    const live = document.getElementById('live')
    if (!live) return
    for (const id of open) document.getElementById(id)?.setAttribute('open', '')
    const after = states()
    const news = [...after].filter(([id, state]) => before.get(id) !== state).map(([, state]) => state)
    before = after
    document.title = live.dataset.title
    document.querySelector('link[rel=icon]').href = live.dataset.icon
    if (news.length > 0) announcements.textContent = news.join('. ')
  })
})()
