import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ts } from '@ts-morph/common'
import type { Random } from '../../test/support/run/random.js'
import { redaction } from './kinds/redaction.js'
import { audit, event, validation } from './kinds/statements.js'
import type { Finder } from './kinds/syntax.js'
import { header, lifecycle, limit, permission } from './kinds/tables.js'
import { type Kind, kinds, type Mutant } from './mutant.js'

const finders: Record<Kind, Finder> = {
  lifecycle,
  permission,
  redaction,
  limit,
  event,
  audit,
  header,
  validation,
}

/** Every rule that can be taken out of the code under `src` of this checkout. */
export function findMutants(checkout: string): Mutant[] {
  return readdirSync(path.join(checkout, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.posix.join('src', file.split(path.sep).join('/')))
    .sort()
    .flatMap((file) => mutantsOf(file, readFileSync(path.join(checkout, file), 'utf8')))
}

/** Every rule that can be taken out of one file. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const looking = kinds.filter((kind) => finders[kind].files.test(file))
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node): void => {
    for (const kind of looking)
      for (const change of finders[kind].changesAt(node, source)) {
        const line = source.getLineAndCharacterOfPosition(change.start).line + 1
        mutants.push({ kind, file, line, ...change })
      }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

/** The code of the file without the rule. */
export function applied(mutant: Mutant, text: string): string {
  return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end)
}

/** Draws so many mutants: as many of each kind as there are, or as the others have. */
export function chooseMutants(candidates: readonly Mutant[], count: number, random: Random): Mutant[] {
  const left = kinds
    .map((kind) => candidates.filter((mutant) => mutant.kind === kind))
    .filter((ofKind) => ofKind.length > 0)
  const chosen: Mutant[] = []
  while (chosen.length < count && left.some((ofKind) => ofKind.length > 0))
    for (const ofKind of left) {
      if (ofKind.length === 0 || chosen.length === count) continue
      const place = Math.floor(random.number() * ofKind.length)
      chosen.push(...ofKind.splice(place, 1))
    }
  return chosen
}
