// The lobby screen: it says when what it shows is old, and loads itself again when the server is
// back.
;(() => {
  const minute = 60000
  const stale = document.getElementById('stale')
  const opened = Date.now()
  let heard = opened
  let tried = opened

  for (const name of ['htmx:afterSettle', 'htmx:after:settle'])
    document.body.addEventListener(name, () => {
      heard = Date.now()
    })

  /**
   * Loads the page again only when the server answers: a screen that no one touches must not end on
   * the browser's error page.
   */
  const reload = () => {
    tried = Date.now()
    fetch('/display', { cache: 'no-store' }).then(
      (answer) => {
        if (answer.ok) location.reload()
      },
      () => {},
    )
  }

  setInterval(() => {
    const now = Date.now()
    const age = now - heard
    stale.hidden = age < 3 * minute
    // The text is added only when it is true, because text browsers also read what is hidden.
    stale.textContent = stale.hidden ? '' : stale.dataset.said
    // Every six hours in any case: there may be a newer version of the page.
    if ((age > 3 * minute || now - opened > 360 * minute) && now - tried > minute) reload()
  }, 5000)
})()
