import { variables } from './variables.js'

/** Shorter names are too near to many others. */
const shortest = 6

/** Which of these names are one letter too many, too few, wrong or swapped away from a variable. */
export function nearMisses(names: readonly string[]): { variable: string; meant: string }[] {
  const known = Object.keys(variables)
  return names
    .filter((name) => name.length >= shortest && !Object.hasOwn(variables, name))
    .flatMap((variable) => {
      const meant = known.find(
        (each) => each.length >= shortest && isOneSlipAway(variable.toUpperCase(), each),
      )
      return meant ? [{ variable, meant }] : []
    })
}

function isOneSlipAway(candidate: string, name: string): boolean {
  let start = 0
  while (start < name.length && candidate[start] === name[start]) start++
  let end = 0
  while (
    end < name.length - start &&
    end < candidate.length - start &&
    candidate.at(-1 - end) === name.at(-1 - end)
  )
    end++
  const [left, right] = [candidate.slice(start, candidate.length - end), name.slice(start, name.length - end)]
  const isSwapped = left.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isSwapped || (left.length <= 1 && right.length <= 1)
}
