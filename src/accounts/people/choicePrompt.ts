/** Providers that know `select_account` but do not name their prompts; others refuse what they do not know. */
const choosing = ['accounts.google.com', 'login.microsoftonline.com']

/**
 * What makes a provider ask who it is, though it still knows somebody (OpenID Connect Core 3.1.2.1): the password where
 * it cannot offer a choice, nothing where it knows neither.
 */
export function choicePrompt({
  issuer,
  prompt_values_supported: known,
}: {
  issuer: string
  prompt_values_supported?: unknown
}): { prompt?: string } {
  const named = Array.isArray(known) ? known : null
  const chooses = named?.includes('select_account') ?? choosing.includes(new URL(issuer).hostname)
  if (chooses) return { prompt: 'select_account' }
  return named === null || named.includes('login') ? { prompt: 'login' } : {}
}
