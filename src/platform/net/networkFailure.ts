/** What broke on the way to another server. The log of webhooks stores these words. */
export type Failure = 'refused' | 'timeout' | 'reset' | 'dns' | 'tls' | 'bad answer'

/**
 * The codes of the system, of TLS and of undici, each with what broke and with the words that the
 * outbox and the log of the service have for it (null: none, the code itself is shown). The errors
 * of a TLS handshake are `tls` whatever their code is: what TLS reports later ended a connection.
 */
const failures: readonly { codes: RegExp; failure: Failure; words: string | null }[] = [
  {
    codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    failure: 'refused',
    words: 'connection refused',
  },
  { codes: /^(EACCES|EPERM|EINVAL)$/, failure: 'refused', words: null },
  { codes: /^(ENOTFOUND|EAI_\w+|ENODATA|EDNS)$/, failure: 'dns', words: 'name not found' },
  {
    codes: /^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT|SOCKET_TIMEOUT)$/,
    failure: 'timeout',
    words: 'no answer',
  },
  { codes: /CERT|ISSUER|LEAF_SIGNATURE/, failure: 'reset', words: 'certificate not trusted' },
  { codes: /^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, failure: 'reset', words: 'encryption failed' },
  {
    codes: /^(ECONNRESET|EPIPE|ECONNECTION|ESOCKET|UND_ERR_SOCKET)$/,
    failure: 'reset',
    words: 'connection lost',
  },
  { codes: /^HPE_/, failure: 'bad answer', words: null },
]

/**
 * What broke, by the first of these error codes that says it, in our words; null when none does.
 */
export function networkFailure(...codes: (string | null | undefined)[]): string | null {
  for (const code of codes) {
    const words = typeof code === 'string' ? failures.find((each) => each.codes.test(code))?.words : null
    if (words) return words
  }
  return null
}

/** What broke, by the error's code; an unknown one ended the connection. */
export function failureOf(code: string | null): Failure {
  return failures.find(({ codes }) => code !== null && codes.test(code))?.failure ?? 'reset'
}
