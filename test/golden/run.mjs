import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

/** `npm run golden`: compares the golden files with what the product says now; `--update` accepts what it says. */
const { values } = parseArgs({ options: { update: { type: 'boolean' } } })
if (values.update) process.env.GOLDEN_UPDATE = '1'

const vitest = await startVitest('test', ['test/golden'], { config: 'test/vitest.config.ts', run: true })
await vitest.close()
