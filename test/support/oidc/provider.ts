import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import { listenOnFreePort } from '../run/ports.js'

/** The person who sits before the provider, and what it says of them. */
export type Subject = { sub: string; [claim: string]: unknown }

export const clientId = 'caretaker'
export const clientSecret = 'a-secret-of-the-provider'

/** A pair of keys, its name as an issuer publishes it. */
export function newKey(kid: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

type Key = ReturnType<typeof newKey>

/** Answers a request in the place of the provider; false leaves it to the provider. */
type Instead = (req: IncomingMessage, res: ServerResponse) => boolean

/**
 * A real OpenID Connect provider on a port of its own, whose only page signs `subject` in at once.
 * `instead` lets it misbehave, `forged` lets its token endpoint answer with any token.
 */
export async function startProvider(returnTo: { redirect: string; afterSignOut: string }) {
  const it = {
    issuer: '',
    subject: { sub: 'nobody' } as Subject,
    key: newKey('first'),
    /** Requests since the start, as method and path. */
    asked: [] as string[],
    nonce: '',
    instead: (() => false) as Instead,
    /** The provider refuses with this error, as when its person presses "cancel". */
    denies: null as string | null,
    rotate(kid: string): void {
      it.key = newKey(kid)
      callback = providerWith(it.key)
    },
    /** From now on, the token endpoint answers with an ID token of these claims. */
    forge(claims: (usual: Record<string, unknown>) => Record<string, unknown>, key?: Key) {
      it.instead = (req: IncomingMessage, res: ServerResponse) => {
        if (req.url !== '/token') return false
        const now = Math.floor(Date.now() / 1000)
        const usual = {
          iss: it.issuer,
          aud: clientId,
          nonce: it.nonce,
          iat: now,
          exp: now + 600,
          ...it.subject,
        }
        json(res, { access_token: 'x', token_type: 'Bearer', id_token: signed(claims(usual), key ?? it.key) })
        return true
      }
    },
    behave(): void {
      it.instead = () => false
      it.denies = null
    },
  }
  const server = createServer((req, res) => {
    it.asked.push(`${req.method} ${req.url!.split('?')[0]}`)
    const asked = new URL(req.url!, it.issuer).searchParams
    if (req.url!.startsWith('/auth?')) it.nonce = asked.get('nonce') ?? ''
    if (it.instead(req, res)) return
    if (req.url!.startsWith('/interaction/')) void interact(req, res)
    else callback(req, res)
  })
  const { origin, stop } = await listenOnFreePort(server)
  it.issuer = origin

  let current: Provider
  function providerWith({ jwk }: Key) {
    current = new Provider(it.issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [returnTo.redirect],
          post_logout_redirect_uris: [returnTo.afterSignOut],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [jwk as never] },
      cookies: { keys: ['a-key-of-the-cookies'] },
      claims: {
        openid: ['sub', 'realm_access', 'roles'],
        email: ['email', 'email_verified'],
        profile: ['name'],
      },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...it.subject, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new current.Grant({ clientId, accountId: oidc.session!.accountId! })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    return current.callback()
  }
  let callback = providerWith(it.key)

  async function interact(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const result = it.denies ? { error: it.denies } : { login: { accountId: it.subject.sub } }
    await current.interactionFinished(req, res, result)
  }
  return Object.assign(it, { close: stop })
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

/** Answers with JSON. */
export function json(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function signed(claims: object, { kid, privateKey }: { kid: string; privateKey: KeyObject }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`
}
