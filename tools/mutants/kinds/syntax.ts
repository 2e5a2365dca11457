import { ts } from '@ts-morph/common'
import type { Change } from '../mutant.js'

/** Finds the mutants that begin at a node of one kind. */
export type Finder = {
  /** The files it looks into, from the root of the checkout. */
  files: RegExp
  changesAt: (node: ts.Node, source: ts.SourceFile) => Change[]
}

/** The code of a node in one line, cut where it is long. */
export function wordsOf(node: ts.Node, source: ts.SourceFile): string {
  const words = node.getText(source).replace(/\s+/g, ' ')
  return words.length > 90 ? `${words.slice(0, 89)}…` : words
}

/** The change that writes `replacement` in the place of a node. */
export function replaced(
  node: ts.Node,
  source: ts.SourceFile,
  replacement: string,
  rule = wordsOf(node, source),
): Change {
  return { rule, start: node.getStart(source), end: node.getEnd(), replacement }
}

/** The change that takes one element out of a list or an object, with its comma. */
export function withoutElement(
  elements: ts.NodeArray<ts.Node>,
  element: ts.Node,
  source: ts.SourceFile,
  rule: string,
): Change {
  const i = elements.indexOf(element)
  const next = elements[i + 1]
  const before = elements[i - 1]
  if (next) return { rule, start: element.getStart(source), end: next.getStart(source), replacement: '' }
  return {
    rule,
    start: before ? before.getEnd() : element.getStart(source),
    end: element.getEnd(),
    replacement: '',
  }
}

/** An expression without `as const`, `satisfies …`, brackets and `Object.freeze`. */
export function bare(expression: ts.Expression | undefined): ts.Expression | undefined {
  if (expression === undefined) return undefined
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  )
    return bare(expression.expression)
  if (ts.isCallExpression(expression) && expression.expression.getText() === 'Object.freeze')
    return bare(expression.arguments[0])
  return expression
}

/** What a variable with such a name is declared as; undefined for every other node. */
export function declaredAs(
  node: ts.Node,
  source: ts.SourceFile,
  name: RegExp,
): { name: string; value: ts.Expression } | undefined {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined
  const value = bare(node.initializer)
  return value && name.test(node.name.getText(source)) ? { name: node.name.text, value } : undefined
}

/** The name of a property as it is written, without quotes. */
export function nameOf(property: ts.ObjectLiteralElementLike, source: ts.SourceFile): string {
  const name = property.name?.getText(source) ?? property.getText(source)
  return name.replace(/^'(.*)'$/, '$1')
}

/** Whether this calls `object.method`, such as `c.audit`. */
export function calls(
  node: ts.Node,
  object: string,
  method: string,
): node is ts.CallExpression & { expression: ts.PropertyAccessExpression } {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === method &&
    ts.isIdentifier(node.expression.expression) &&
    node.expression.expression.text === object
  )
}

/** Errors of ours that say a program is wrong, not what someone sent. */
const programErrors = ['Error', 'RangeError', 'SyntaxError', 'TypeError', 'ConfigurationError']

/** Whether an `if` does nothing but refuse: it throws what a person or a client is answered. */
export function isGuard(node: ts.Node): node is ts.IfStatement {
  if (!ts.isIfStatement(node)) return false
  const block = node.thenStatement
  const only = ts.isBlock(block) && block.statements.length === 1 ? block.statements[0]! : block
  if (!ts.isThrowStatement(only)) return false
  const thrown = only.expression
  if (ts.isNewExpression(thrown))
    return ts.isIdentifier(thrown.expression) && !programErrors.includes(thrown.expression.text)
  return ts.isCallExpression(thrown)
}

/** The change that takes a guard out; what stands in its `else` stays. */
export function withoutGuard(guard: ts.IfStatement, source: ts.SourceFile): Change {
  return replaced(guard, source, guard.elseStatement?.getText(source) ?? ';')
}
