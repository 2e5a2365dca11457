/**
 * The text of a file of settings, NAME=value a line below a note, as systemd, Docker Compose, Node
 * and a shell read it alike: quoted only where needed. Throws for a value that cannot be written.
 */
export function envText(note: string, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    if (/['\n\r\0]/.test(value))
      throw new Error(`${name}: a value with a single quote or a line break cannot be written.`)
    return `${name}=${/^[\w:/.,@%+=-]*$/.test(value) ? value : `'${value}'`}`
  })
  return `# ${note}\n${lines.join('\n')}\n`
}
