const words: [RegExp, string][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'connection refused'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA|EDNS)$/, 'name not found'],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT|SOCKET_TIMEOUT)$/, 'no answer'],
  [/CERT|ISSUER|LEAF_SIGNATURE/, 'certificate not trusted'],
  [/^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, 'encryption failed'],
  [/^(ECONNRESET|EPIPE|ECONNECTION|ESOCKET|UND_ERR_SOCKET)$/, 'connection lost'],
]

/**
 * What broke, by the first of these error codes that says it, in our words; null when none does.
 */
export function networkFailure(...codes: (string | undefined)[]): string | null {
  for (const code of codes)
    for (const [pattern, word] of words) if (code !== undefined && pattern.test(code)) return word
  return null
}
