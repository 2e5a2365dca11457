import { ts } from '@ts-morph/common'
import * as inputRules from '../../../src/vocabulary/inputRules.js'
import type { Change } from '../mutant.js'
import {
  calls,
  declaredAs,
  type Finder,
  isGuard,
  nameOf,
  replaced,
  withoutElement,
  withoutGuard,
} from './syntax.js'

/** An entry that is missing from the audit log. */
export const audit: Finder = {
  files: /^src\/(?!demo\/)/,
  changesAt: (node, source) => (calls(node, 'c', 'audit') ? [replaced(node, source, 'undefined')] : []),
}

/** An event that is not emitted, or whose emails or pushes go to other people or to no one. */
export const event: Finder = {
  files: /^src\/(?!demo\/)/,
  changesAt(node, source) {
    if (calls(node, 'c', 'emit')) return [replaced(node, source, 'undefined')]
    const table = declaredAs(node, source, /^notifiedEvents$/)
    if (!table || !ts.isObjectLiteralExpression(table.value)) return []
    const events = table.value.properties
    return [...events].flatMap((each) => [
      withoutElement(events, each, source, `notifiedEvents: ${nameOf(each, source)}`),
      ...otherAudiences(each, source),
    ])
  },
}

function otherAudiences(event: ts.ObjectLiteralElementLike, source: ts.SourceFile): Change[] {
  if (!ts.isPropertyAssignment(event) || !ts.isObjectLiteralExpression(event.initializer)) return []
  return [...event.initializer.properties].flatMap((channel) => {
    if (!ts.isPropertyAssignment(channel) || !/^(?:mail|push)$/.test(nameOf(channel, source))) return []
    const audience = channel.initializer.getText(source)
    const other = audience === "'staff'" ? "'followers'" : "'staff'"
    const rule = `${nameOf(event, source)}: ${nameOf(channel, source)} to ${audience}, not ${other}`
    return [replaced(channel.initializer, source, other, rule)]
  })
}

/** Rules of a schema that can be left out and leave a schema. */
const schemaRules = ['int', 'length', 'max', 'min', 'nonnegative', 'positive', 'refine', 'regex']
/** What a schema begins with: zod itself, or one of our input rules. */
const schemas = ['z', ...Object.keys(inputRules)]

/** Input that is no longer refused. */
export const validation: Finder = {
  files: /^src\/(?!text\/|demo\/|operations\/|platform\/postgres\/|vocabulary\/lifecycle\.ts)/,
  changesAt(node, source) {
    if (isGuard(node)) return [withoutGuard(node, source)]
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
    const { name, expression: schema } = node.expression
    if (!schemaRules.includes(name.text) || !schemas.includes(rootOf(schema))) return []
    // The schema itself, such as `z.int()`, and no rule of one.
    if (ts.isIdentifier(schema) && schema.text === 'z') return []
    const rule = `.${source.text.slice(name.getStart(source), node.getEnd())}`.replace(/\s+/g, ' ')
    return [replaced(node, source, schema.getText(source), rule)]
  },
}

/** `z` of `z.string().min(1)`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    return rootOf(expression.expression)
  return ts.isIdentifier(expression) ? expression.text : ''
}
