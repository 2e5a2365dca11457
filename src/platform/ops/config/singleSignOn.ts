/** Settings of single sign-on that are good for nothing without the others. */
const required = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const refining = ['OIDC_NAME', 'OIDC_LINK_BY_EMAIL', 'OIDC_ROLE_CLAIM', 'OIDC_ONLY'] as const

/**
 * Names what is missing when single sign-on is half configured, and an address that reveals what is
 * sent to it.
 */
export function singleSignOnFaults(env: Record<string, string | undefined>): string[] {
  const said = (name: string) => env[name]?.trim() ?? ''
  const given = [...required, ...refining].filter((name) => said(name) !== '' && said(name) !== 'false')
  if (given.length === 0) return []
  const missing = required.filter((name) => said(name) === '')
  const exposed =
    env.NODE_ENV === 'production' &&
    said('ALLOW_INSECURE_HTTP') !== 'true' &&
    /^http:/i.test(said('OIDC_ISSUER'))
  return [
    ...missing.map((name) => `${name}: required with ${given.find((each) => each !== name)}`),
    ...(exposed ? ['OIDC_ISSUER: an https address in production'] : []),
  ]
}

type Values = {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
  OIDC_NAME?: string | undefined
  OIDC_LINK_BY_EMAIL: boolean
  OIDC_ROLE_CLAIM?: string | undefined
  OIDC_ONLY: boolean
}

/** The identity provider people may sign in with. */
export type SingleSignOn = {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the sign-in page calls it. */
  name: string
  /** An address that the provider has verified links the account that has it. */
  linkByEmail: boolean
  /**
   * Path of the claim that names roles, such as `realm_access.roles`; null: the provider decides no
   * role.
   */
  roleClaim: string | null
  /** Staff may not sign in by password. */
  only: boolean
}

/** Null when no provider is configured. */
export function singleSignOnOf(values: Values): SingleSignOn | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  if (!issuer || !clientId || !clientSecret) return null
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.OIDC_NAME ?? new URL(issuer).hostname,
    linkByEmail: values.OIDC_LINK_BY_EMAIL,
    roleClaim: values.OIDC_ROLE_CLAIM ?? null,
    only: values.OIDC_ONLY,
  }
}
