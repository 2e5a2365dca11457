import { type ParseArgsConfig, parseArgs } from 'node:util'

// Imports nothing of ours: commands read their arguments before their settings, whatever these are.

/** What can follow the name of a command. */
export type CommandLine = {
  /** Printed for `--help`, and below the sentence that refuses an argument. */
  usage: string
  options?: NonNullable<ParseArgsConfig['options']>
  /** How many arguments that belong to no option are taken. None unless it is said. */
  most?: number
  /** Returns a sentence when arguments that are each allowed are wrong together, otherwise null. */
  problemWith?: (args: GivenArguments) => string | null
}

/** Options by name, and the arguments that belong to no option. */
export type GivenArguments = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

type Parsed<Line extends CommandLine> = ReturnType<
  typeof parseArgs<{
    options: Line extends { options: infer Options extends CommandLine['options'] }
      ? NonNullable<Options>
      : Record<never, never>
    allowPositionals: true
  }>
>

/** A wrong argument's exit code, as in shells. */
const misused = 2

/**
 * Returns the arguments of this process as `line` describes them. Ends the process with 0 after the
 * usage for `--help` or `-h`, and with 2 after a sentence that names a wrong argument.
 */
export function readCommandLine<const Line extends CommandLine>(
  line: Line,
  args: string[] = process.argv.slice(2),
): Parsed<Line> {
  if (args.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${line.usage}\n`)
    process.exit(0)
  }
  // Not strict: its own sentences do not say what to do, and name no missing value.
  const { values, positionals, tokens } = parseArgs({
    args,
    options: line.options ?? {},
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const problem = problemOf(line, tokens) ?? line.problemWith?.({ values, positionals }) ?? null
  if (problem !== null) refuseCommandLine(problem, line.usage)
  return { values, positionals } as Parsed<Line>
}

/** Ends the process with 2 after this sentence and the usage. */
export function refuseCommandLine(problem: string, usage: string): never {
  process.stderr.write(`${problem}\n\n${usage}\n`)
  process.exit(misused)
}

type OptionToken = {
  kind: 'option'
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}
type Token = OptionToken | { kind: 'positional'; value: string } | { kind: 'option-terminator' }

/** Returns a sentence that names the first argument which is not allowed. */
function problemOf({ options = {}, most = 0 }: CommandLine, tokens: readonly Token[]): string | null {
  const seen = new Set<string>()
  let positionals = 0
  for (const token of tokens) {
    if (token.kind === 'positional') {
      positionals += 1
      if (positionals > most) return `There is one argument too many: ${token.value}`
    }
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name]! : null
    if (!option) return `There is no option ${token.rawName}.`
    if (option.type === 'string' && !hasValue(token)) return `${token.rawName} needs a value.`
    if (option.type === 'boolean' && token.value !== undefined) return `${token.rawName} takes no value.`
    if (seen.has(token.name) && !option.multiple) return `${token.rawName} is given twice.`
    seen.add(token.name)
  }
  return null
}

/**
 * Whether an option has a value of its own, and not the option that follows it or an empty
 * variable.
 */
function hasValue({ value, inlineValue }: OptionToken): boolean {
  return Boolean(value) && (inlineValue === true || !/^-./.test(value!))
}
