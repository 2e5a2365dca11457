const notTrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
])
const outOfDate = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/**
 * What to do about the certificate of a server we connect to, by the error's code: a sentence
 * without its full stop; null for any other error. `trust`: how its authority is made known here.
 */
export function certificateCure(
  code: string,
  trust = 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority',
): string | null {
  if (notTrusted.has(code)) return `The authority of its certificate is unknown here. ${trust}`
  if (outOfDate.has(code)) return 'Its certificate is out of date, or the clock of this machine is wrong'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Its certificate is for another host name. Use a name of the certificate in the address'
  return null
}

/** Ends advice with a full stop, where it does not end with a question mark. */
export function asSentence(advice: string): string {
  return advice.endsWith('?') ? advice : `${advice}.`
}
