/** A building's id as a store keeps it: one line, so that people can read it. */
export const written = (buildingId: string): string => `${buildingId}\n`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id in a store's file. What is no id is told as it stands, cut: somebody else's store, in any
 * case.
 */
export function readBuilding(text: string): string {
  const id = text.trim()
  return uuid.test(id) ? id : `unreadable: ${id.slice(0, 40)}`
}
