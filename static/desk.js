// Keys of the desk, and selecting all without loading a page. All of it also works without scripts.
;(() => {
  const rows = [...document.querySelectorAll('#queue .desk > li')]
  const dialog = document.getElementById('keys')
  const show = document.getElementById('show-keys')
  const use = document.getElementById('use-keys')
  const boxOf = (row) => row.querySelector('input[name="ids"]')

  // Single keys can be turned off (WCAG 2.1.4); a browser without storage keeps them on.
  const stored = (write) => {
    try {
      return write === undefined
        ? localStorage.getItem('desk-keys')
        : localStorage.setItem('desk-keys', write)
    } catch {
      return null
    }
  }
  use.checked = stored() !== 'off'
  use.addEventListener('change', () => stored(use.checked ? 'on' : 'off'))
  show.textContent = show.dataset.said
  show.hidden = false
  show.addEventListener('click', () => dialog.showModal())

  const move = (by) => {
    const at = rows.indexOf(document.activeElement.closest('#queue .desk > li'))
    const next = rows[at === -1 ? 0 : at + by]
    if (next) next.focus()
  }
  const press = (row, selector) => {
    const button = row.querySelector(selector)
    if (button) button.click()
  }
  const onRow = {
    x: (row) => press(row, 'input[name="ids"]'),
    a: (row) => press(row, '[data-key="a"]'),
    m: (row) => press(row, '[data-key="m"]'),
    Enter: (row) => press(row, '.title a'),
  }

  const isTyping = ({ tagName, type }) =>
    ['SELECT', 'TEXTAREA'].includes(tagName) || (tagName === 'INPUT' && type !== 'checkbox')
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (dialog.open || isTyping(target) || (!use.checked && key !== '?')) return
    const row = target.closest('#queue .desk > li')
    if (key === '?') dialog.showModal()
    else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1)
    else if (row && onRow[key] && (key !== 'Enter' || target === row)) onRow[key](row)
    else return
    event.preventDefault()
  })

  if (rows.length === 0) return
  const select = (is) => {
    for (const row of rows) boxOf(row).checked = is
    afterSelecting()
  }
  /** Only reports of the same place can be merged: the button is shown for no others. */
  const merge = document.getElementById('merge-selected')
  const afterSelecting = () => {
    const places = rows.filter((row) => boxOf(row).checked).map(({ dataset }) => dataset.place)
    merge.hidden = places.length < 2 || new Set(places).size > 1
  }
  if (!merge) return
  afterSelecting()
  document.getElementById('queue').addEventListener('change', afterSelecting)
  addEventListener('pageshow', afterSelecting)
  for (const [id, is] of [
    ['select-all', true],
    ['clear', false],
  ])
    document.getElementById(id).addEventListener('click', (event) => {
      event.preventDefault()
      select(is)
    })
})()
