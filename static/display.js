// The lobby's screen: says so when it has heard nothing for a while, and finds its way back by itself.
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

  /** Loads the page again only when there is one: a screen that no one touches must not end on a browser's error page. */
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
    // Text browsers read what is hidden: the words stand in the page only when they are true.
    stale.textContent = stale.hidden ? '' : stale.dataset.said
    // Every few hours anyway: by then there may be a newer version of the page itself.
    if ((age > 3 * minute || now - opened > 360 * minute) && now - tried > minute) reload()
  }, 5000)
})()
