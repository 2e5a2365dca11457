import type { Email } from '../../../src/vocabulary/email/delivery.js'
import type { House } from '../house/house.js'

/** Where an email says that its reader can unsubscribe, without the host. */
export const unsubscribePath = ({ headers }: Email): string =>
  /https?:\/\/[^/]+(\/unsubscribe\/[^>]+)>/.exec(headers['List-Unsubscribe']!)![1]!

/**
 * What an email provider sends when someone presses its own button: no cookie, no header of a
 * browser, no token of ours.
 */
export const unsubscribeInOneClick = (house: House, path: string): Promise<Response> =>
  house.ask('guest', path, { form: { 'List-Unsubscribe': 'One-Click' } })
