// Offers to notify this browser of what the person follows. Without scripts, or where the browser
// cannot be notified, nothing is offered.
;(() => {
  const place = document.getElementById('notify')
  if (!place) return
  const { key, here, ask, asking, cannot, refused, failed } = place.dataset

  const line = document.createElement('p')
  line.setAttribute('role', 'status')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'second'
  button.textContent = ask
  const paragraph = document.createElement('p')
  paragraph.append(button)
  place.append(line)
  const say = (text) => {
    line.textContent = text
  }

  if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return say(cannot)

  const base64url = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

  const manager = async () => {
    await navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' })
    return (await navigator.serviceWorker.ready).pushManager
  }

  /**
   * Makes a new subscription each time: an old one may be another person's, or belong to an earlier
   * key of the server.
   */
  const subscribed = async () => {
    const pushes = await manager()
    const old = await pushes.getSubscription()
    if (old) await old.unsubscribe()
    return pushes.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })
  }

  const register = async (subscription) => {
    const answer = await fetch('/api/account/browsers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        endpoint: subscription.endpoint,
        p256dh: base64url(subscription.getKey('p256dh')),
        auth: base64url(subscription.getKey('auth')),
        serverKey: key,
      }),
    })
    if (answer.ok) return
    await subscription.unsubscribe()
    throw new Error(String(answer.status))
  }

  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled')) return
    button.setAttribute('aria-disabled', 'true')
    say(asking)
    try {
      const allowed = await Notification.requestPermission()
      if (allowed === 'granted') {
        await register(await subscribed())
        location.reload()
        return
      }
      say(allowed === 'denied' ? refused : '')
    } catch {
      say(failed)
    }
    button.removeAttribute('aria-disabled')
  })

  const offer = async () => {
    const allowed = Notification.permission
    if (allowed === 'denied') return say(refused)
    if (allowed === 'granted') {
      const registration = await navigator.serviceWorker.getRegistration()
      const subscription = registration && (await registration.pushManager.getSubscription())
      if (subscription && here !== undefined) return
      // The person who was notified here has signed out, or removed this browser from the list.
      if (subscription) await subscription.unsubscribe()
    }
    place.prepend(paragraph)
  }
  offer().catch(() => say(cannot))
})()
