import { erasedName } from './erasure.js'

/** Names shown for the service itself where an author stands, in every language of the catalogue. */
export const houseNames: readonly string[] = [
  'System',
  'Sistema',
  'Caretaker',
  'Guest',
  'Anonymous resident',
  'Residente anónimo',
  'By email',
  'Por correo',
  erasedName,
  'Persona borrada',
]

/**
 * Names the office signs with on pages: people cannot take them; an admin may give one to a shared account.
 */
export const officeNames: readonly string[] = ['The office', 'La administración']

/**
 * Controls, line separators, direction marks and zero-width characters. Joiners stay: some scripts need them.
 */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e00ff}]/u

/** Pairs of a letter and the Latin one it resembles, where no Unicode normalisation maps one to the other. */
const lookalikes = `łl øo đd ðd ħh ıi ŧt ßss æae œoe þth ɑa ɡg ςσ аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp ѕs тt уy хx ԝw ԛq
  αa βb εe ιi κk νv οo ρp τt υu χx`
const alike = new Map(lookalikes.split(/\s+/).map(([letter, ...like]) => [letter, like.join('')]))
/** Marks on Latin, Greek and Cyrillic letters only: in other scripts a mark makes a different name. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu
const widthless = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu
const punctuation = /\p{P}/gu

/**
 * The form names are compared in: no case, accents, blanks, punctuation or zero-width characters, lookalikes
 * as one letter. Names with equal forms look the same to a reader (decision 7.8).
 */
export function foldedName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .replace(widthless, '')
  const bare = plain.replace(punctuation, '') || plain
  // Once more: marks stand in another order where what stood between them is gone.
  return [...bare.normalize('NFKD')].map((letter) => alike.get(letter) ?? letter).join('')
}

/** A problem of an account's name, as a key of the catalogue's `fields`; null if none (decision 7.8). */
export function nameProblem(name: string, propertyName: string): 'name_unseen' | 'name_reserved' | null {
  const folded = foldedName(name)
  if (unseen.test(name) || folded === '') return 'name_unseen'
  return [...houseNames, propertyName].some((ours) => foldedName(ours) === folded) ? 'name_reserved' : null
}
