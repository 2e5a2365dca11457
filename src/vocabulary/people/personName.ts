/** Shown to non-staff for anonymous reporters (spec §2, decision 2.9); the same in every JSON. */
export const anonymousName = 'Anonymous resident'

/**
 * The name that residents and guests read for anyone of the office who acted on an anonymous report
 * (decision 9.9); also in every JSON.
 */
export const officeName = 'The office'

/** Shown to everyone for an unknown sender of an email (decision 2.10); the same in every JSON. */
export const byEmailName = 'By email'

/** The one user of every phone in the building; pages say how the report came instead. */
export const mobileReporterName = 'Mobile Reporter'

/** Shown in place of an erased person's name (decision 7.31); the same in every JSON. */
export const erasedName = 'Deleted person'

/** An address that no email reaches; each erased person has another. */
export const erasedAddress = (id: number) => `deleted-${id}@invalid`

/** Names shown for the service itself as an author, in every language of the catalogue. */
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

/** Names the office signs with: people cannot take them; an admin may give a shared account one. */
export const officeNames: readonly string[] = [officeName, 'Office', 'La administración', 'Administración']

/** Controls, line separators and direction marks: they change how the text around a name reads. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/**
 * The form names are compared in: no case, no invisible characters, single blanks. Look-alikes
 * differ: the mark of staff, not the name, says who is staff (decision 7.8).
 */
export function foldedName(name: string): string {
  const text = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return text.replace(/\s+/gu, ' ').trim()
}

/** A problem of an account's name, a key of the catalogue's `fields`; else null (decision 7.8). */
export function nameProblem(name: string, propertyName: string): 'name_unseen' | 'name_reserved' | null {
  const folded = foldedName(name)
  if (unseen.test(name) || folded === '') return 'name_unseen'
  return [...houseNames, propertyName].some((ours) => foldedName(ours) === folded) ? 'name_reserved' : null
}
