/** Characters of the longest name: the server cuts names of roles after 63. */
const longest = 40
const form = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Throws unless it can name a file, a unit of systemd and a database. */
export function requireBuildingName(name: string): string {
  if (form.test(name) && name.length <= longest) return name
  throw new Error(
    `A building’s name can have up to ${longest} characters: lowercase letters, digits and single hyphens. It must start with a letter.`,
  )
}

/**
 * The names of a building's database and roles on the server. No two buildings share one, because a
 * name has no hyphens side by side.
 */
export function identifiersOf(name: string): { database: string; serving: string; owner: string } {
  const database = `caretaker_${requireBuildingName(name).replaceAll('-', '_')}`
  return { database, serving: database, owner: `${database}__owner` }
}

/** Of a host's name, no character with a meaning in a proxy's file. */
const plainHost = /^[a-z0-9][a-z0-9.-]*$/

/**
 * An address people type, `https://host` or `http://host:port`: each building has a host of its
 * own.
 */
export function requireAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain =
    url &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    url.href === `${url.origin}/` &&
    plainHost.test(url.hostname)
  if (isPlain) return url.origin
  throw new Error('Enter the address people use, with nothing after the host: --url https://building.example')
}
