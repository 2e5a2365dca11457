import type { Result } from './campaign.js'
import { grouped } from './checks/grouped.js'
import { outcomeOf } from './history.js'

/**
 * A run as a table: what struck and how long it lasted, what became of the writes, and what was
 * found.
 */
export function summary({ struck, left, kills, operations, delivered, emails, wrong }: Result): string {
  const faults = [...grouped(struck, ({ name }) => name)].map(([name, times]) => [
    name,
    String(times.length),
    seconds(Math.max(...times.map(({ ms }) => ms))),
    seconds(Math.max(...times.map(({ backMs }) => backMs))),
  ])
  const outcomes = ['acknowledged', 'refused', 'unknown'] as const
  const acts = [...grouped(operations, ({ act }) => act)].map(([act, of]) => [
    act,
    ...outcomes.map((outcome) => String(of.filter((operation) => outcomeOf(operation) === outcome).length)),
  ])
  return [
    table([['fault', 'times', 'longest, s', 'writes again within, s'], ...faults]),
    ...left.map((why) => `left out: ${why}`),
    table([['write', ...outcomes], ...acts]),
    `${kills} kills, ${operations.length} writes, ${delivered} webhooks and ${emails} emails arrived`,
    ...wrong.slice(0, 100).map((each) => `VIOLATION ${each}`),
    `${wrong.length} violations\n`,
  ].join('\n')
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
