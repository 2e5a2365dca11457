/** Plain SVG pieces on a sheet of 800 × 600. No text elements: which fonts a machine has must not change a picture. */

/** A rectangle; `round` is the radius of its corners. */
export function box(x: number, y: number, width: number, height: number, fill: string, round = 0): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${fill}"/>`
}

/** A circle. */
export function disc(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
}

/** A flat ellipse: puddles and shadows. `opacity` 0 to 1. */
export function oval(x: number, y: number, rx: number, ry: number, fill: string, opacity = 1): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" opacity="${opacity}"/>`
}

/** A filled path. */
export function shape(d: string, fill: string, opacity = 1): string {
  return `<path d="${d}" fill="${fill}" opacity="${opacity}"/>`
}

/** A line along a path, with round ends. */
export function line(d: string, colour: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

/** Pieces moved and turned (degrees) about their new origin. */
export function placed(x: number, y: number, turn: number, ...pieces: string[]): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn})">${pieces.join('')}</g>`
}

/** A falling drop whose tip is at x, y. */
export function drop(x: number, y: number, size = 10): string {
  return shape(
    `M${x} ${y}q${size} ${size * 1.5} 0 ${size * 2.2}q${-size} ${-size * 0.7} 0 ${-size * 2.2}z`,
    water,
  )
}

/** Still water on a floor, with the light in it. */
export function puddle(x: number, y: number, rx: number, ry: number): string {
  return (
    oval(x, y, rx, ry, water, 0.75) +
    oval(x - rx * 0.5, y + ry * 0.45, rx * 0.55, ry * 0.7, water, 0.6) +
    oval(x + rx * 0.25, y - ry * 0.3, rx * 0.4, ry * 0.22, '#dcecf4', 0.8)
  )
}

/** Wall, skirting board and floor; the light falls from the upper left. */
export function room(wall: string, floor: string, floorAt = 480): string {
  return (
    box(0, 0, 800, floorAt, wall) +
    box(0, floorAt, 800, 600 - floorAt, floor) +
    box(0, floorAt - 12, 800, 12, '#ffffff66') +
    shape(`M0 0h430L120 ${floorAt}H0z`, '#ffffff', 0.13)
  )
}

export const water = '#6aa3c4'
export const steel = '#aeb8bf'
export const dark = '#36424c'
export const paper = '#fbf8f0'
export const red = '#c5523c'
export const amber = '#e3a73d'
export const green = '#6d9b6a'

/** Letters of 10 × 16 as strokes: the few that signs on walls need. */
const letters: Record<string, string> = {
  D: 'M0 0v16h3q7 0 7-8t-7-8z',
  E: 'M9 0H0v16h9M0 8h7',
  F: 'M9 0H0v16M0 8h7',
  O: 'M5 0q-5 0-5 8t5 8t5-8t-5-8z',
  R: 'M0 16V0h5q5 0 5 4.5t-5 4.5H0M5 9l5 7',
  T: 'M0 0h10M5 0v16',
  U: 'M0 0v10q0 6 5 6t5-6V0',
}

/** A word of those letters, its upper left corner at x, y; a blank leaves a gap. */
export function word(text: string, x: number, y: number, scale: number, colour: string): string {
  const drawn = [...text].map((letter, i) => {
    const d = letters[letter]
    return d ? `<path transform="translate(${i * 15} 0)" d="${d}"/>` : ''
  })
  return `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke="${colour}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${drawn.join('')}</g>`
}
