// The report form without a connection: no server says which field is missing, so the browser asks
// for them before the report is stored on the phone.
;(() => {
  const form = document.querySelector('form[data-offline]')
  for (const field of form.querySelectorAll('#assetId, #title')) field.required = true
})()
