/** Characters of a line, its indentation included. */
const width = 110

/**
 * JSON to be read in a diff: what fits into a line stands in one, anything longer has a line for
 * each entry.
 */
export function readableJson(value: unknown, indent = '', before = 0): string {
  const whole = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  if (typeof value !== 'object' || value === null || indent.length + before + whole.length <= width)
    return whole
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((each) => inner + readableJson(each, inner))
    : Object.entries(value).map(([key, each]) => {
        const name = `${JSON.stringify(key)}: `
        return inner + name + readableJson(each, inner, name.length)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
