/** The first that fits a letter says its width in em, in the widest of the fonts of screens. */
const widths: readonly [RegExp, number][] = [
  [/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|[\u{1f000}-\u{3ffff}]/u, 1.05],
  [/[ .,:;'’|!ijlItfr()]/, 0.38],
  [/[mwMW@%]/, 0.95],
  [/[\p{Lu}\d]/u, 0.68],
]
const usualWidth = 0.6

/** The width of a text in em, where a screen that no one scrolls must have room for it. */
export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += widths.find(([letters]) => letters.test(letter))?.[1] ?? usualWidth
  return width
}
