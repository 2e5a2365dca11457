import type { Text } from '../../text/index.js'
import type { Permission, Role } from '../../vocabulary/people/permissions.js'
import type { SecurityEvent } from '../../vocabulary/securityEvents.js'
import { extensionPoint } from '../process/extensionPoint.js'
import type { Context } from './context.js'

type Link = { href: string; label: string }

/** A refused request, as far as it may be a security event. */
export type RefusedRequest = {
  status: number
  code: string
  permission: Permission | undefined
  /** The problems of its fields, of all of them together. */
  fieldProblems: readonly string[]
}

/** `addressField`: the field with a web address, whose host is logged with it. */
export type FeatureEvent = { event: SecurityEvent; addressField?: string }

type FeatureHooks = {
  /** Checks password and code within the live session (decision 7.12). Throws Problem. */
  signInAgain(ctx: Context, credentials: { password: string; code: string }): Promise<void>
  /** Whether this account may not sign in by password (decision 7.20). */
  passwordIsClosed(user: { id: number; role: Role }): Promise<boolean>
  /** The setup step of a new building that is next; null when there is none left. */
  nextStep(): Promise<{ name: string; address: string } | null>
  /** The address where people sign in, and the templates of its form and of signing in again. */
  signInPage: { address: string; view: string; againView: string }
  /** The page that a form sent to this path is on; null when the path is below no such page. */
  pageWithForm(path: string): string | null
  /**
   * Fields of forms by their names: the texts and the amounts that people type, and what a page
   * writes into its form, with other values when it is fetched again.
   */
  formFields: Record<'texts' | 'amounts' | 'writtenByPage', readonly string[]>
  /** The lists to search when a page is not found. */
  listsToSearch(text: Text, who: { isOffice: boolean }): Link[]
  /** The label of the link to what the same form stored earlier. */
  storedBefore(text: Text, href: string): string
  /** The page that a refusal leads on to, by the members of its problem; null when to none. */
  refusalLeadsTo(members: Readonly<Record<string, unknown>>): string | null
  /** The security event that a refusal is by the rules of a feature; null when by none. */
  securityEventOf(refused: RefusedRequest): FeatureEvent | null
}

/** What platform calls of features in a request. */
export const featureHooks = extensionPoint<FeatureHooks>('hooks of requests')
