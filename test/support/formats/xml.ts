const name = '[A-Za-z][\\w:.-]*'
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const token = new RegExp(
  `<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<\\?[\\s\\S]*?\\?>|<(/?)(${name})((?:${attribute})*)\\s*(/?)>|([^<]+)`,
  'y',
)

/** Throws unless the text is a well-formed XML document without a document type. */
export function wellFormed(text: string): void {
  const open: string[] = []
  let roots = 0
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (!found) throw new Error(`not XML: ${text.slice(at, at + 80)}`)
    const [, closes, tag, attributes = '', empty, characters] = found
    const plain = characters ?? attributes
    if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(plain)) throw new Error(`a bare &: ${plain}`)
    if (characters?.includes(']]>')) throw new Error(`a bare ]]>: ${characters}`)
    if (!tag) continue
    if (closes && open.pop() !== tag) throw new Error(`closes what is not open: ${tag}`)
    if (!closes && open.length === 0) roots += 1
    if (!closes && !empty) open.push(tag)
  }
  if (open.length > 0 || roots !== 1) throw new Error(`${roots} roots, and open: ${open.join(', ')}`)
}
