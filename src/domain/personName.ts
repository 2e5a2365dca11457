/** The names that stand for the service itself where an author's is shown, in every language of the catalogue. */
export const houseNames: readonly string[] = [
  'System',
  'Sistema',
  'Caretaker',
  'Guest',
  'Anonymous resident',
  'Residente anónimo',
  'By email',
  'Por correo',
]

/** Controls, line and paragraph separators, marks of direction, and what has no width; joiners belong to some scripts. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}]/u

/** Letters that no normalisation takes apart, and letters of other scripts that look like a Latin one. */
const alike = new Map(
  Object.entries({
    ...{
      ł: 'l',
      ø: 'o',
      đ: 'd',
      ð: 'd',
      ħ: 'h',
      ı: 'i',
      ŧ: 't',
      ß: 'ss',
      æ: 'ae',
      œ: 'oe',
      þ: 'th',
      ɑ: 'a',
      ɡ: 'g',
    },
    ...{
      а: 'a',
      в: 'b',
      с: 'c',
      ԁ: 'd',
      е: 'e',
      һ: 'h',
      і: 'i',
      ј: 'j',
      к: 'k',
      ӏ: 'l',
      м: 'm',
      н: 'h',
      о: 'o',
      р: 'p',
    },
    ...{
      ѕ: 's',
      т: 't',
      у: 'y',
      х: 'x',
      ԝ: 'w',
      ԛ: 'q',
      α: 'a',
      β: 'b',
      ε: 'e',
      ι: 'i',
      κ: 'k',
      ν: 'v',
      ο: 'o',
      ρ: 'p',
    },
    ...{ τ: 't', υ: 'u', χ: 'x' },
  }),
)

/**
 * A name as it is compared: without case, accents, blanks and anything that has no width, and with one letter for those
 * that look alike. Two names with the same are one name to whoever reads them (decision 7.8).
 */
export function foldedName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, '')
  return [...plain].map((letter) => alike.get(letter) ?? letter).join('')
}

/** What is wrong with the name of an account, as a key of the catalogue's `fields`; null when nothing (decision 7.8). */
export function nameProblem(name: string, propertyName: string): 'name_unseen' | 'name_reserved' | null {
  const folded = foldedName(name)
  if (unseen.test(name) || folded === '') return 'name_unseen'
  return [...houseNames, propertyName].some((ours) => foldedName(ours) === folded) ? 'name_reserved' : null
}
