// Measures the contrasts that the page of components shows, as the browser paints them in the
// present colour scheme.
;(() => {
  const style = getComputedStyle(document.documentElement)
  const channels = (name) => {
    const pen = document.createElement('canvas').getContext('2d')
    pen.fillStyle = style.getPropertyValue(`--${name}`).trim()
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = (name) => {
    const [r, g, b] = channels(name).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  for (const cell of document.querySelectorAll('[data-colour]')) {
    const { colour, on, least } = cell.dataset
    const [high, low] = [luminance(colour), luminance(on)].sort((a, b) => b - a)
    const ratio = (high + 0.05) / (low + 0.05)
    cell.textContent = `${ratio.toFixed(2)}:1`
    cell.classList.toggle('error', ratio < Number(least))
  }
})()
