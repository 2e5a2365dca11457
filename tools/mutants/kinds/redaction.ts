import { ts } from '@ts-morph/common'
import type { Change } from '../mutant.js'
import { bare, type Finder, replaced, withoutElement, wordsOf } from './syntax.js'

/** Functions that hide a part of what they get: the place of the argument that they would hide. */
export const hiding: Record<string, number> = {
  masked: 0,
  nameFor: 2,
  publicWords: 0,
  withoutContactDetails: 0,
}

/** What staff alone may read and everyone then reads, or a secret that is written down. */
export const redaction: Finder = {
  files: /^src\/(?!text\/|demo\/)/,
  changesAt(node, source) {
    if (
      ts.isPropertyAccessExpression(node) &&
      isViewer(node.expression, source) &&
      node.name.text === 'staff'
    )
      return [replaced(node, source, 'true', ruleAround(node, source))]
    if (ts.isParameter(node)) return staffOfParameter(node, source)
    if (ts.isVariableDeclaration(node) && node.name.getText(source) === 'secretFields')
      return withoutSecrets(node.initializer, source)
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return []
    if (node.expression.text === 'seesUnits') return [replaced(node, source, 'true')]
    const place = hiding[node.expression.text]
    const argument = place === undefined ? undefined : node.arguments[place]
    return argument ? [replaced(node, source, argument.getText(source))] : []
  },
}

/** `viewer`, or the viewer of a request. */
const isViewer = (node: ts.Expression, source: ts.SourceFile) => /(?:^|\.)viewer$/.test(node.getText(source))

/** The expression that a look at the reader decides, as the words of the rule. */
function ruleAround(node: ts.Node, source: ts.SourceFile): string {
  let around = node
  while (
    ts.isPrefixUnaryExpression(around.parent) ||
    ts.isBinaryExpression(around.parent) ||
    ts.isConditionalExpression(around.parent)
  )
    around = around.parent
  return `${wordsOf(node, source)} in: ${wordsOf(around, source)}`
}

/** Each use of `staff` in a function that takes a reader apart: `({ staff }: Viewer) => …`. */
function staffOfParameter(parameter: ts.ParameterDeclaration, source: ts.SourceFile): Change[] {
  const { name, type, parent } = parameter
  if (type?.getText(source) !== 'Viewer' || !ts.isObjectBindingPattern(name)) return []
  if (!name.elements.some((each) => each.name.getText(source) === 'staff')) return []
  const changes: Change[] = []
  const visit = (node: ts.Node): void => {
    const isName = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    if (ts.isIdentifier(node) && node.text === 'staff' && !isName)
      changes.push(replaced(node, source, 'true', ruleAround(node, source)))
    ts.forEachChild(node, visit)
  }
  const { body } = parent as ts.FunctionLikeDeclaration
  if (body) visit(body)
  return changes
}

/** Each name of a list of secret fields, taken out by itself: `[…]` or `new Set([…])`. */
function withoutSecrets(initializer: ts.Expression | undefined, source: ts.SourceFile): Change[] {
  const value = bare(initializer)
  const list = value && ts.isNewExpression(value) ? value.arguments?.[0] : value
  if (!list || !ts.isArrayLiteralExpression(list)) return []
  return [...list.elements].map((name) =>
    withoutElement(list.elements, name, source, `secretFields: ${wordsOf(name, source)}`),
  )
}
