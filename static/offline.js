// The report form without a connection: nobody answers what is missing, so that the browser asks for it before it is kept.
;(() => {
  const form = document.querySelector('form[data-offline]')
  const { title, place, assetId, unitId } = form.elements
  title.required = true
  /** Of the two lists only the one that is shown. */
  const ask = () => {
    assetId.required = place.value === 'asset'
    unitId.required = place.value === 'unit'
  }
  form.addEventListener('change', ask)
  ask()
})()
