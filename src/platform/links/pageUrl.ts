import { publicAddress } from '../process/config.js'

/** The public address of a page. */
export function pageUrl(path: string): string {
  return `${publicAddress()}${path}`
}
