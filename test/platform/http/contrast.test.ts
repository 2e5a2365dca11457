import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../../static/css/tokens.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
const tokensOf = (text: string) =>
  Object.fromEntries(
    [...text.split('@media')[0]!.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )

describe.each([
  ['light', tokensOf(light)],
  ['dark', { ...tokensOf(light), ...tokensOf(dark) }],
])('the colours, %s', (_scheme, of) => {
  it.each(['paper', 'card'])('keep day strokes and steps at 3:1 on the %s', (on) => {
    for (const name of ['operational-bar', 'maintenance-bar', 'degraded-bar', 'down-bar', 'step'])
      expect(contrast(of[name]!, of[on]!), name).toBeGreaterThanOrEqual(3)
  })

  it.each(['paper', 'card'])('keep words at 4.5:1 on the %s', (on) => {
    for (const name of ['ink', 'muted', 'accent', 'operational', 'maintenance', 'degraded', 'down'])
      expect(contrast(of[name]!, of[on]!), name).toBeGreaterThanOrEqual(4.5)
  })
})

function luminance(hex: string): number {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high! + 0.05) / (low! + 0.05)
}
