import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  identifiersOf,
  requireAddress,
  requireBuildingName,
} from '../../../src/operations/buildings/buildingName.js'
import { newBuildingSettings } from '../../../src/operations/buildings/createBuilding.js'
import { settingsFolder } from '../../../src/operations/buildings/settingsFolder.js'
import { newFolder } from '../../support/run/folders.js'

describe('the name of a building', () => {
  const refused = [
    '',
    'A',
    'a_b',
    'a-',
    '-a',
    'a--b',
    '1a',
    'ä',
    'a b',
    'a"b',
    "a';drop",
    '../a',
    'a/b',
    'a.env',
    'a\n',
    'a'.repeat(41),
  ]
  it.each(refused)('is not %j', (name) => {
    expect(() => requireBuildingName(name)).toThrow('A building’s name can have')
    expect(() => identifiersOf(name)).toThrow('A building’s name can have')
  })

  it('is one that no system reads otherwise, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'ab1-_. ') })), (name) => {
        try {
          expect(requireBuildingName(name)).toMatch(/^[a-z0-9-]{1,40}$/)
        } catch (error) {
          expect(String(error)).toContain('A building’s name can have')
        }
      }),
    )
  })

  it('gives names on the server that no other building has, and that the server does not cut', () => {
    fc.assert(
      fc.property(accepted, accepted, (one, other) => {
        const [ones, others] = [one, other].map((name) => Object.values(identifiersOf(name)))
        expect(ones!.every((each) => each.length <= 63)).toBe(true)
        if (one !== other) expect(ones!.filter((each) => others!.includes(each))).toEqual([])
      }),
    )
    expect(identifiersOf('a-owner').serving).not.toBe(identifiersOf('a').owner)
  })
})

it('the address of a building is a host, with nothing that the proxy or a settings file could read otherwise', () => {
  expect(requireAddress('https://Lime.example/')).toBe('https://lime.example')
  expect(requireAddress('http://localhost:8080')).toBe('http://localhost:8080')
  const wrong = [
    '',
    'lime.example',
    'ftp://lime.example',
    'https://lime.example/x',
    'https://a:b@lime.example',
  ]
  // Each means something in a proxy's file.
  wrong.push('https://a;b.example', 'https://~x.example', 'https://a{b', 'https://a$b.example')
  for (const each of [...wrong, 'https://lime.example/?q', 'https://lime.example/#x', 'https://a b/'])
    expect(() => requireAddress(each)).toThrow('Enter the address')
  // The parser of addresses drops line ends.
  expect(requireAddress('https://lime.exa\nmple')).toBe('https://lime.example')
})

describe('new settings', () => {
  const serverUrl = 'postgres://maker:secret@db.example:5433/postgres?sslmode=require'
  const make = (name: string, others: ReturnType<typeof newBuildingSettings>[] = []) =>
    newBuildingSettings({ name, address: `https://${name}.example`, folder: '/buildings', serverUrl }, others)

  it('have a port and secrets no one else has, and not the password of the server', () => {
    const one = make('one')
    const two = make('two', [one])
    expect([one, two].map(({ settings }) => settings.PORT)).toEqual(['4001', '4002'])
    expect(make('three', [two]).settings.PORT).toBe('4001')
    const secrets = [one, two].flatMap(({ settings, ownerSettings }) =>
      Object.values({ ...settings, ...ownerSettings }).flatMap((value) => value.match(/[\w-]{32}/g) ?? []),
    )
    expect(secrets.length).toBe(14)
    expect(new Set(secrets).size).toBe(14)
    expect(JSON.stringify([one, two])).not.toMatch(/maker|secret@/)
    expect(one.settings.DATABASE_URL).toMatch(/@db\.example:5433\/caretaker_one\?sslmode=require$/)
    // The owner's password is not among what the serving process is told.
    expect(Object.keys(one.settings)).not.toContain('MIGRATION_DATABASE_URL')
  })

  it('are read back as they were, also from a folder whose name needs quotes', async () => {
    const buildings = settingsFolder(path.join(newFolder(), 'all "our" # buildings'))
    const one = newBuildingSettings(
      { name: 'one', address: 'https://one.example', folder: buildings.file('.'), serverUrl },
      [],
    )
    await buildings.write(one)
    expect(await buildings.read('one')).toEqual(one)
    expect(one.settings.DATA_DIR).toContain(' # buildings')
  })

  it('need no quoting, for systemd and for us', () => {
    for (const value of Object.values({ ...make('one').settings, ...make('one').ownerSettings }))
      expect(value).toMatch(/^[\w./:@?=&%-]+$/)
  })
})

/** Names that are accepted. */
const accepted = fc.stringMatching(/^[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,9}){0,2}$/)
