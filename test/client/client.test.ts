import { execFile } from 'node:child_process'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ts } from '@ts-morph/common'
import openapiTS, { astToString } from 'openapi-typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '../support/compiled.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { picture } from '../support/pictures.js'
import { itInWholeRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()

describe('a client made from /api/openapi.json', () => {
  let folder: string
  beforeAll(async () => {
    folder = newFolder()
    await symlink(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(
      path.join(folder, 'schema.d.ts'),
      await typesOf(await house.json('guest', '/api/openapi.json')),
    )
  })

  /** What the compiler says of a program that uses the types. */
  async function compiled(program: string): Promise<string> {
    await writeFile(path.join(folder, 'program.ts'), program)
    const output = run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch((error) => error)
    return (await output).stdout
  }

  it('has types that the app for phones compiles with', async () => {
    await copyFile(sample, path.join(folder, 'mobileApp.ts'))
    expect(await compiled('')).toBe('')
  })

  itInWholeRun('has types that refuse what the service would refuse', async () => {
    const wrong = `import createClient from 'openapi-fetch'
import type { paths } from './schema.js'
const client = createClient<paths>()
await client.GET('/api/incident')
await client.GET('/api/incidents', { params: { query: { status: 'lost' } } })
await client.POST('/api/incidents/{id}/verify', { params: { path: { id: 1 } }, body: {} })
await client.POST('/api/devices', { body: { token: 'x', platform: 'fridge' } })
await client.DELETE('/api/incidents')
const { data } = await client.GET('/api/status')
export const none = data?.assets[0]?.colour
`
    const output = [...(await compiled(wrong)).matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) =>
      Number(line),
    )
    expect([...new Set(output)]).toEqual([4, 5, 6, 7, 8, 10])
  })

  it('does what the app for phones does in a day', async () => {
    const { aDayOfThePhone } = (await import(/* @vite-ignore */ sample)) as any
    const photo = new Uint8Array(await picture())
    const { expected, ...done } = await aDayOfThePhone(house.origin(), keys.MOBILE_API_KEY, photo)
    expect(done).toEqual({
      platform: 'ios',
      photos: 1,
      comment: 'It is the second floor.',
      following: true,
      verified: 'verified',
      listed: [expected],
      shown: 5,
      refused: expect.stringMatching(/^[a-z_]+$/),
    })
  })
})

const run = promisify(execFile)

const sample = path.join(checkout, 'test/client/mobileApp.ts')

const compiler = path.join(checkout, 'node_modules/typescript/bin/tsc')

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    skipLibCheck: true,
    types: [],
  },
  include: ['*.ts'],
}

/** Types of the description the service gives of itself, as a client's developer makes them. */
async function typesOf(description: object): Promise<string> {
  const file = ts.factory.createTypeReferenceNode('Blob') as never
  return astToString(
    await openapiTS(JSON.stringify(description), {
      defaultNonNullable: false,
      transform: ({ format }) => (format === 'binary' ? file : undefined),
    }),
  )
}
