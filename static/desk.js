// Keys of the desk, and ticking all in place. Keys act only while a report has the focus (WCAG 2.1.4).
;(() => {
  const rows = [...document.querySelectorAll('.desk > li[id]')]
  if (rows.length === 0) return
  const keys = document.getElementById('keys')
  keys.textContent = keys.dataset.said
  keys.hidden = false
  for (const row of rows) row.tabIndex = 0

  const moves = { j: 1, k: -1 }
  const press = (row, key) => {
    const button = row.querySelector(`[data-key="${key}"]`)
    if (button) button.click()
    return Boolean(button)
  }
  const act = (row, key) => {
    if (key === 'Enter') {
      row.querySelector('.title a').click()
      return true
    }
    if (!moves[key]) return press(row, key)
    const next = rows[rows.indexOf(row) + moves[key]]
    if (next) next.focus()
    return true
  }
  document.addEventListener('keydown', (event) => {
    const row = event.target
    if (!rows.includes(row) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (['j', 'k', 'a', 'm', 'Enter'].includes(event.key) && act(row, event.key)) event.preventDefault()
  })

  for (const link of document.querySelectorAll('.tick-all'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const boxes = [...link.closest('section').querySelectorAll('input[name="ids"]')]
      const all = boxes.every(({ checked }) => checked)
      for (const box of boxes) box.checked = !all
    })
})()
