import { ts } from '@ts-morph/common'
import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

/** Past participles that stood for things: they tell how a value came, and not what it is. */
const participles = new Set('asked found given kept named said settled shown told typed worded'.split(' '))

const byRoom = new Map<string, string[]>()
for (const { path, text } of sourcesIn(['src', 'jobs'])) {
  const room = roomOf(path)
  byRoom.set(room, [...(byRoom.get(room) ?? []), ...participlesIn(path, text)])
}

describe('the name of a value', () => {
  it.each([...byRoom.keys()])('is a noun, and no past participle, in %s', (room) => {
    const places = byRoom.get(room)!
    expect(places).toEqual([])
  })

  it('is looked for in every room', () => {
    expect(byRoom.size).toBeGreaterThan(20)
  })
})

/** The folder of a feature, or of a part of platform. */
function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1)
  return folders.slice(0, folders[1] === 'platform' ? 3 : 2).join('/')
}

/** What declares a name for a value: `const`, `let`, a parameter, or a part of one taken apart. */
function declaredName(node: ts.Node): ts.Identifier | null {
  if (!ts.isVariableDeclaration(node) && !ts.isParameter(node) && !ts.isBindingElement(node)) return null
  return ts.isIdentifier(node.name) ? node.name : null
}

/** The participles that a file declares as names, with their lines. */
function participlesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const places: string[] = []
  const visit = (node: ts.Node): void => {
    const name = declaredName(node)
    if (name && participles.has(name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source))
      places.push(`${file}:${line + 1} ${name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return places
}
