/**
 * Shown to everyone in place of the name of someone who was erased (decision 7.31); the same in
 * every JSON.
 */
export const erasedName = 'Deleted person'

/** An address that no email reaches; each erased person has another. */
export const erasedAddress = (id: number) => `deleted-${id}@invalid`
