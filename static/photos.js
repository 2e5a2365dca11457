// Photos on a form: they are made smaller on the phone, shown as thumbnails, and sent with a
// progress bar. Where a browser lacks any of this, or it fails, the form is sent as any form is.
;(() => {
  /**
   * Longest side in pixels, and JPEG quality: the display of a lift stays readable, and 8 MB become
   * 400 KB.
   */
  const longest = 2000
  const quality = 0.8

  const thumbnailPixels = 160

  const input = document.querySelector('input[type=file][name="photos[]"][multiple]')
  if (!input || !window.FormData || !window.Promise) return
  const form = input.form
  const { remove, sending, sent } = input.dataset
  const say = (text) => {
    document.getElementById('announcements').textContent = text
  }

  /**
   * Puts these files into the input, so that they are sent with the form. Throws where a browser
   * cannot do that.
   */
  const put = (chosen) => {
    const bag = new DataTransfer()
    for (const file of chosen) bag.items.add(file)
    input.files = bag.files
  }

  const field = input.closest('.add-photos')
  const camera = field.querySelector('[capture]')
  const list = document.createElement('ul')
  list.className = 'chosen-photos'
  field.append(list)
  let files = []
  /** A picture of each file; none of a file that this browser does not show. */
  const thumbnails = new WeakMap()
  let ready = Promise.resolve()

  /** The middle of a picture, as a square. */
  const thumbnailOf = (picture) => {
    const side = Math.min(picture.width, picture.height)
    const square = document.createElement('canvas')
    square.width = thumbnailPixels
    square.height = thumbnailPixels
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
    square.getContext('2d').drawImage(picture, left, top, side, side, 0, 0, square.width, square.height)
    return square
  }

  /**
   * A smaller, upright copy; or the file itself when a copy would not be smaller. Throws where a
   * browser cannot make one.
   */
  const smaller = async (file) => {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const paper = canvas.getContext('2d')
    paper.fillStyle = '#fff'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
    thumbnails.set(file, thumbnailOf(canvas))
    picture.close()
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', quality))
    if (!blob || blob.size >= file.size) return file
    const copy = new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
    thumbnails.set(copy, thumbnails.get(file))
    return copy
  }

  const show = () => {
    list.textContent = ''
    files.forEach((file, i) => {
      const { name } = file
      const item = document.createElement('li')
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'quiet'
      button.textContent = remove
      button.setAttribute('aria-label', `${remove} ${i + 1}: ${name}`)
      button.addEventListener('click', () => {
        files.splice(i, 1)
        put(files)
        show()
        input.focus()
      })
      item.append(thumbnails.get(file) || `${name} `, button)
      list.append(item)
    })
  }

  /** Takes one photo after the other: old phones do not have the memory for five at once. */
  const take = async (chosen) => {
    const taken = []
    for (const file of chosen) taken.push(await smaller(file).catch(() => file))
    files = files.concat(taken)
    put(files)
    show()
  }

  const takeFrom = (chooser) => {
    const chosen = Array.from(chooser.files)
    ready = ready
      .then(() => take(chosen))
      .then(() => {
        // The one input has all of them now.
        camera.value = ''
      })
      .catch(() => {})
  }
  for (const chooser of [input, camera]) {
    chooser.addEventListener('change', () => takeFrom(chooser))
    chooser.labels[0].className = 'button second'
  }
  field.classList.add('ready')

  /** Whether a button sends the form to another address, such as one that asks for a suggestion. */
  const isElsewhere = (button) => (button ? button.hasAttribute('formaction') : false)

  let pressed = null
  form.addEventListener('click', (event) => {
    pressed = event.target.closest('button:not([type=button])')
  })

  const bar = document.createElement('progress')
  let busy = false
  const finish = () => {
    busy = false
    bar.remove()
  }

  /** Milliseconds without a byte after which a connection counts as lost. */
  const silenceMs = 30000

  const send = () =>
    new Promise((done, fail) => {
      const request = new XMLHttpRequest()
      let timer
      const restartTimer = () => {
        clearTimeout(timer)
        timer = setTimeout(() => request.abort(), silenceMs)
      }
      request.addEventListener('loadend', () => clearTimeout(timer))
      request.open('POST', form.getAttribute('action'))
      request.setRequestHeader('Accept', 'text/html')
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        restartTimer()
        bar.max = total
        bar.value = loaded
      })
      request.addEventListener('load', () => done(request))
      for (const name of ['error', 'abort', 'timeout']) request.addEventListener(name, fail)
      restartTimer()
      request.send(new FormData(form))
    })

  /**
   * Goes to the page that the answer redirects to. A page with errors replaces this one, with what
   * was typed.
   */
  const follow = ({ status, responseURL, responseText }) => {
    if (status < 400 && new URL(responseURL).pathname !== form.getAttribute('action')) {
      say(sent)
      location.assign(responseURL)
    } else if (status >= 400 && status < 500) {
      document.open()
      document.write(responseText)
      document.close()
    } else {
      throw new Error(status)
    }
  }

  form.addEventListener('submit', (event) => {
    const button = event.submitter || pressed
    if (input.files.length + camera.files.length === 0 || isElsewhere(button)) return
    event.preventDefault()
    // Opened without a connection: the service worker stores what the form itself sends.
    if ('offline' in form.dataset) {
      ready.then(() => form.submit())
      return
    }
    if (busy) return
    busy = true
    bar.setAttribute('aria-label', sending)
    ;(button || form.lastElementChild).insertAdjacentElement('afterend', bar)
    say(sending)
    ready
      .then(send)
      .then(follow)
      .catch(() => form.submit())
      .then(() => setTimeout(finish, 8000))
  })

  addEventListener('pageshow', ({ persisted }) => persisted && finish())
})()
