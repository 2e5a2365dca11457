import { ts } from '@ts-morph/common'
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
  wordsOf,
} from './syntax.js'

/** Each element of a list, taken out by itself; `what` names the list. */
function withoutEach(
  elements: ts.NodeArray<ts.Node> | undefined,
  source: ts.SourceFile,
  what: string,
): Change[] {
  return [...(elements ?? [])].map((element) =>
    withoutElement(elements!, element, source, `${what}: ${wordsOf(element, source)}`),
  )
}

const elementsOf = (value: ts.Expression | undefined) =>
  value && ts.isArrayLiteralExpression(value) ? value.elements : undefined

const propertiesOf = (value: ts.Expression | undefined) =>
  value && ts.isObjectLiteralExpression(value) ? value.properties : undefined

/** A pair of statuses that may follow each other, a guard of a move, and what decides a stamp. */
export const lifecycle: Finder = {
  files: /^src\/vocabulary\/lifecycle\.ts$/,
  changesAt(node, source) {
    if (isGuard(node)) return [withoutGuard(node, source)]
    if (ts.isConditionalExpression(node))
      return [node.whenTrue, node.whenFalse].map((branch) =>
        replaced(
          node,
          source,
          branch.getText(source),
          `${wordsOf(node, source)}, not always ${branch.getText(source)}`,
        ),
      )
    const taken = declaredAs(node, source, /^takenStatuses$/)
    if (taken) return withoutEach(elementsOf(taken.value), source, taken.name)
    const transitions = declaredAs(node, source, /^transitions$/)
    return [...(propertiesOf(transitions?.value) ?? [])].flatMap((from) =>
      ts.isPropertyAssignment(from)
        ? withoutEach(elementsOf(from.initializer), source, `from ${nameOf(from, source)} to`)
        : [],
    )
  },
}

/** Who may do something, from the fewest people to the most. */
const holders = ["['admin']", 'staff', 'signedIn', 'known', 'anyone']

/** A permission that one group more has, or one group less. */
export const permission: Finder = {
  files: /^src\/vocabulary\/people\/permissions\.ts$/,
  changesAt(node, source) {
    const table = declaredAs(node, source, /^permissions$/)
    return [...(propertiesOf(table?.value) ?? [])].flatMap((property) => {
      if (!ts.isPropertyAssignment(property)) return []
      const now = property.initializer
      const place = holders.indexOf(now.getText(source))
      // Machines have permissions of their own: a mutant gives them to people.
      const others = place < 0 ? ['anyone'] : [holders[place - 1], holders[place + 1]]
      return others
        .filter((holder) => holder !== undefined)
        .map((holder) =>
          replaced(
            now,
            source,
            holder,
            `${nameOf(property, source)} has ${now.getText(source)}, not ${holder}`,
          ),
        )
    })
  },
}

/** Numbers that something may not exceed, by the names of the variables that hold them. */
export const limitNames = [
  /^limits$/,
  /^bounds$/,
  /^quarantine$/,
  /^quietSites$/,
  /^idleDays$/,
  /^most[A-Z]/,
  /^linkPurposes$/,
  /Minutes$/,
  /^emailLimits$/,
  /^sheetLimits$/,
  /^ignoredEmails$/,
  /^strangerEmails$/,
  /^spareAttempts$/,
]
const anyLimitName = new RegExp(limitNames.map(({ source }) => source).join('|'))

/** A limit that is ten times as high. */
export const limit: Finder = {
  files: /^src\/(?!text\/|demo\/)/,
  changesAt(node, source) {
    const declared = declaredAs(node, source, anyLimitName)
    return declared ? numbersIn(declared.value, source, declared.name) : []
  },
}

function numbersIn(value: ts.Expression, source: ts.SourceFile, name: string): Change[] {
  if (ts.isNumericLiteral(value) || ts.isBinaryExpression(value)) {
    const number = value.getText(source)
    return [replaced(value, source, `10 * (${number})`, `${name} is ${number}`)]
  }
  return [...(propertiesOf(value) ?? [])].flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? numbersIn(property.initializer, source, `${name}.${nameOf(property, source)}`)
      : [],
  )
}

/** A header that is not sent, or a part of the content security policy. */
export const header: Finder = {
  files: /^src\/(?!text\/|demo\/)/,
  changesAt(node, source) {
    if (calls(node, 'ctx', 'set')) return [replaced(node, source, 'undefined')]
    const headers = declaredAs(node, source, /^securityHeaders$/)
    if (headers) return withoutEach(propertiesOf(headers.value), source, headers.name)
    if (!ts.isVariableDeclaration(node) || node.name.getText(source) !== 'contentSecurityPolicy') return []
    // A list of directives that is joined.
    const [list] = node.initializer ? listsIn(node.initializer) : []
    return withoutEach(list?.elements, source, 'contentSecurityPolicy')
  },
}

function listsIn(node: ts.Node): ts.ArrayLiteralExpression[] {
  if (ts.isArrayLiteralExpression(node)) return [node]
  const lists: ts.ArrayLiteralExpression[] = []
  ts.forEachChild(node, (child) => void lists.push(...listsIn(child)))
  return lists
}
