import { execFile } from 'node:child_process'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { generate } from 'orval'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '../support/compiled.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { picture } from '../support/pictures.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()

/**
 * Clients as their generators make them of the service's own description, without settings of ours.
 */
describe('a client made by another generator', () => {
  let folder: string
  beforeAll(async () => {
    folder = newFolder()
    const description = path.join(folder, 'openapi.json')
    await symlink(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await writeFile(description, await (await house.ask('guest', '/api/openapi.json')).text())
    await generate({
      input: { target: description },
      output: { target: path.join(folder, 'orval.ts'), client: 'fetch', baseUrl: house.origin() },
    })
    await createClient({
      input: description,
      output: path.join(folder, 'hey'),
      logs: { level: 'silent' },
    })
    for (const name of ['orvalApp.ts', 'heyApp.ts'])
      await copyFile(path.join(checkout, 'test/client', name), path.join(folder, name))
  })

  it('compiles with the strictest settings, beside an app that uses it', async () => {
    const compilerOutput = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch(
      (error) => error,
    )
    expect(compilerOutput.stdout).toBe('')
  })

  it('of orval reports, comments, registers a device and lists', async () => {
    const { reportByOrval } = await import(/* @vite-ignore */ path.join(folder, 'orvalApp.ts'))
    expect(await reportByOrval(keys.MOBILE_API_KEY)).toEqual({
      commented: 201,
      registered: 200,
      listed: true,
      shown: 'Made by orval',
    })
  })

  it('of hey-api does the same, and sends photos in a form', async () => {
    const { reportByHeyApi } = await import(/* @vite-ignore */ path.join(folder, 'heyApp.ts'))
    const photo = new Uint8Array(await picture())
    expect(await reportByHeyApi(house.origin(), keys.MOBILE_API_KEY, photo)).toEqual({
      commented: 201,
      registered: 200,
      listed: true,
      photos: 1,
      refused: 'Report not found',
    })
  })
})

const run = promisify(execFile)

const compiler = path.join(checkout, 'node_modules/typescript/bin/tsc')

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    skipLibCheck: true,
    types: [],
  },
  include: ['**/*.ts'],
}
