const bullets = '••••'
/** Secrets at least this long show their end, so that people can tell two of them apart. */
const tellingLength = 16

/** What is shown of a webhook's signing secret once it was made (decision 4.8). */
export function maskedSecret(secret: string): string {
  return secret.length < tellingLength ? bullets : bullets + secret.slice(-4)
}

/** Whether somebody sent back what they were shown, now or before, instead of a secret (decision 6.11). */
export function isMask(text: string): boolean {
  return text.startsWith(bullets) && text.length <= bullets.length + 4
}
