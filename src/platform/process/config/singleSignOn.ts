import type { ReadVariable, Values } from './variables.js'

/** Settings of single sign-on that are good for nothing without the others. */
const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const refining = ['OIDC_NAME', 'OIDC_LINK_BY_EMAIL', 'OIDC_ROLE_CLAIM', 'OIDC_ONLY'] as const

/** Names what is missing of the group, and an address that reveals what is sent to it. */
export function singleSignOnSettingProblems(readVariable: ReadVariable): string[] {
  const first = [...required, ...refining].find(
    (name) => readVariable(name) !== '' && readVariable(name) !== 'false',
  )
  if (!first) return []
  const exposed =
    readVariable('NODE_ENV') === 'production' &&
    readVariable('ALLOW_INSECURE_HTTP') !== 'true' &&
    /^http:/i.test(readVariable('OIDC_ISSUER'))
  return [
    ...required.filter((name) => !readVariable(name)).map((name) => `${name}: required with ${first}`),
    ...(exposed ? ['OIDC_ISSUER: an https address in production'] : []),
  ]
}

/** The identity provider people may sign in with. */
export type SingleSignOn = NonNullable<ReturnType<typeof singleSignOnOf>>

/** Null when no provider is configured. */
export function singleSignOnOf(values: Values) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (!issuer || !clientId || !clientSecret) return null
  return {
    issuer,
    clientId,
    clientSecret,
    /** What the sign-in page calls it. */
    name: values.OIDC_NAME ?? new URL(issuer).hostname,
    /** An address that the provider has verified links the account that has it. */
    linkByEmail: values.OIDC_LINK_BY_EMAIL,
    /** Path of the claim with roles, such as `realm_access.roles`; null: none is decided there. */
    roleClaim: values.OIDC_ROLE_CLAIM ?? null,
    /** Staff may not sign in by password. */
    only: values.OIDC_ONLY,
  }
}
