import { linkPurposes } from '../../../vocabulary/email/linkPurposes.js'

/** The path segment after one of these is a secret: it opens an account or acts for a person. */
const beforeSecrets = new Set(Object.values(linkPurposes).map(({ page }) => page.split('/').at(-1)))
/** As long as a one-time token, of the same characters; longer than any segment people read. */
const likeSecret = /^[\w-]{40,}$/

/**
 * A path for logs, with one-time tokens masked however they are written: routers and proxies accept
 * either case, doubled slashes and percent-encoding for the same address.
 */
export function loggablePath(path: string): string {
  let secretNext = false
  const parts = path.slice(0, 4000).split(/((?:\/|\\|%(?:25)*(?:2f|5c))+)/i)
  const masked = parts.map((part, i) => {
    if (i % 2 === 1 || part === '') return part
    const isSecret = secretNext || likeSecret.test(part)
    secretNext = beforeSecrets.has(decoded(part).toLowerCase())
    return isSecret ? '…' : part
  })
  return masked.join('').slice(0, 200)
}

/** A segment with all its percent-encoding undone, however often it was applied. */
function decoded(segment: string): string {
  const next = segment.replace(/%([2-7][\da-f])/gi, (_match, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return next === segment ? next.trim() : decoded(next)
}
