import { describe, expect, it } from 'vitest'
import { minified } from '../../../src/platform/http/staticAssets.js'

describe('a style sheet as it is sent', () => {
  it.each([
    ['a colon', 'content: "a: b";'],
    ['commas, braces and blanks', 'content: "a ,  b { c } ; > d";'],
    ['what looks like a comment', 'content: "a /* b */";'],
    ['quotation marks', 'content: "a \\" : b ;}";'],
  ])('keeps a text with %s', (_what, declaration) => {
    const text = declaration.slice(declaration.indexOf('"'), -1)
    expect(minified(`/* It's a "mark" */\n.a {\n  ${declaration}\n}\n`)).toBe(`.a{content:${text}}`)
  })

  it('has no comments, no indentation and no last semicolon', () => {
    const sheet = '/* one */\n.a > .b,\n.c :hover {\n  color: red; /* two */\n  margin: 0 1px;\n}\n'
    expect(minified(sheet)).toBe('.a>.b,.c :hover{color:red;margin:0 1px}')
  })
})
