/**
 * Shown to everybody in place of the name of somebody who was erased (decision 7.31); the same in
 * every JSON.
 */
export const erasedName = 'Deleted person'

/** An address that no mail reaches; each erased person has another. */
export const erasedAddress = (id: number) => `deleted-${id}@invalid`
