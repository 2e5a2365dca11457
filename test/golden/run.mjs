import path from 'node:path'
import { startVitest } from 'vitest/node'
import { readCommandLine } from '../../dist/src/platform/process/commandLine.js'

const usage = `npm run golden [-- --update] [--html FOLDER]
  Compares the golden files with what the product says now. --update accepts that.
  --html FOLDER also writes whole pages, emails and JSON there: the same bytes for the same product.`

const { values } = readCommandLine({
  usage,
  options: { update: { type: 'boolean' }, html: { type: 'string' } },
})
if (values.update) process.env.GOLDEN_UPDATE = '1'
if (values.html) process.env.GOLDEN_HTML = path.resolve(values.html)

const vitest = await startVitest('test', ['test/golden'], { config: 'test/vitest.config.ts', run: true })
await vitest.close()
