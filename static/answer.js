// Fills a reply template into the form without loading a page; without scripts the server does it.
;(() => {
  const button = document.querySelector('[data-use]')
  if (!button) return
  const { form } = button
  const set = (name, value) => {
    const field = form.elements[name]
    if (value && field && [...field.options].some((option) => option.value === value)) field.value = value
  }
  button.addEventListener('click', (event) => {
    const chosen = document.getElementById(button.dataset.use).selectedOptions[0]
    if (!chosen.value) return
    event.preventDefault()
    const { words, status, reason } = chosen.dataset
    const { body } = form.elements
    body.value = [body.value, words].filter(Boolean).join('\n\n')
    set('newStatus', status)
    set('statusReason', reason)
    body.focus()
  })
})()
