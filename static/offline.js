// The report form without a connection: no one answers what is missing, so that the browser asks for it before it is kept.
;(() => {
  const form = document.querySelector('form[data-offline]')
  for (const field of form.querySelectorAll('#assetId, #title, [name="severity"]')) field.required = true
})()
