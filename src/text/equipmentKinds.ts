/** Words for equipment to which the plural only adds an s, in English. */
const english = new Set([
  'boiler',
  'camera',
  'door',
  'dryer',
  'elevator',
  'entrance',
  'escalator',
  'fan',
  'gate',
  'hoist',
  'intercom',
  'lamp',
  'lift',
  'machine',
  'pump',
  'shutter',
])

/** The same in Spanish, with what the plural adds. */
const spanish = new Map([
  ['ascensor', 'es'],
  ['bomba', 's'],
  ['caldera', 's'],
  ['cámara', 's'],
  ['elevador', 'es'],
  ['lavadora', 's'],
  ['puerta', 's'],
  ['secadora', 's'],
])

/**
 * The plural of a kind of equipment, such as `Lifts`, where we know it. It is the building's own
 * word, so it follows the word's language and not the page's; others stay as they are: `Lighting`.
 */
export function kindInPlural(kind: string): string {
  const folded = kind.toLowerCase()
  const lastWord = folded.slice(folded.lastIndexOf(' ') + 1)
  if (english.has(lastWord)) return `${kind}s`
  return kind + (spanish.get(folded) ?? '')
}
