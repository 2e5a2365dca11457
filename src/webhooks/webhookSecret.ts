const bullets = '••••'
/** From this length on a masked secret shows its end, so that people can tell two apart. */
const tellingLength = 16

/** How a webhook's signing secret is shown after its creation (decision 4.8). */
export function maskedSecret(secret: string): string {
  return secret.length < tellingLength ? bullets : bullets + secret.slice(-4)
}

/** Whether the text is a masked secret sent back instead of a new one (decision 6.11). */
export function isMask(text: string): boolean {
  return text.startsWith(bullets) && text.length <= bullets.length + 4
}
