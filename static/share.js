// Shares the link of a page with the share sheet of the device, or copies it. Without this script,
// and where a browser can do neither, the link writes an email.
;(() => {
  const link = document.getElementById('share')
  if (!link || !(navigator.share || navigator.clipboard)) return
  const { title, address, copied } = link.dataset
  const byEmail = () => {
    location.href = link.href
  }
  const copy = () =>
    navigator.clipboard.writeText(address).then(() => {
      link.textContent = copied
      document.getElementById('announcements').textContent = copied
    }, byEmail)

  link.addEventListener('click', (event) => {
    event.preventDefault()
    if (!navigator.share) return void copy()
    navigator.share({ title, url: address }).catch((error) => {
      // People may change their mind.
      if (error.name !== 'AbortError') byEmail()
    })
  })
})()
