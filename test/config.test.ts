import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigurationError, readConfig, variables } from '../src/config.js'

const dataDir = mkdtempSync(path.join(tmpdir(), 'caretaker-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const deployed = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'a-session-secret-of-length' }

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

describe('configuration', () => {
  it('names every wrong variable at once', () => {
    const problems = problemsOf({
      ...deployed,
      PORT: 'x',
      SLA_HOURS_LOW: '-1',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'yes',
    })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'LOG_LEVEL',
      'PORT',
      'SLA_HOURS_LOW',
      'TRUST_PROXY',
    ])
  })

  it('wants a session secret with a database of its own', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://localhost/x' })).toEqual([
      'SESSION_SECRET: required with DATABASE_URL',
    ])
  })

  it('refuses short and equal secrets in production, by name and never by value', () => {
    const same = 'the-same-secret-twice'
    const problems = problemsOf({
      ...deployed,
      NODE_ENV: 'production',
      MOBILE_API_KEY: same,
      CRON_SECRET: same,
      INBOUND_EMAIL_SECRET: 'short',
    })
    expect(problems).toEqual([
      'MOBILE_API_KEY and CRON_SECRET: must differ',
      'INBOUND_EMAIL_SECRET: at least 16 characters in production',
    ])
  })

  it('keeps a door closed whose secret is unset, empty or blank', () => {
    for (const value of [undefined, '', '   ']) {
      const env = value === undefined ? deployed : { ...deployed, MOBILE_API_KEY: value }
      expect(readConfig(env).mobileApiKey).toBeNull()
    }
  })

  it('accepts decimals and zero as acknowledgement targets', () => {
    const { slaTargets } = readConfig({ ...deployed, SLA_HOURS_CRITICAL: '0.5', SLA_HOURS_LOW: '0' })
    expect(slaTargets).toEqual({ low: 0, medium: 72, high: 24, critical: 0.5 })
  })

  it('generates missing secrets once in the embedded default, readable by the owner only', () => {
    const first = readConfig({ DATA_DIR: dataDir, CRON_SECRET: '  ' })
    const second = readConfig({ DATA_DIR: dataDir })
    expect(first.cronSecret).toMatch(/^[\w-]{32}$/)
    expect(second).toEqual(first)
    expect(statSync(first.keysFile!).mode & 0o777).toBe(0o600)
    expect(readConfig({ DATA_DIR: dataDir, MOBILE_API_KEY: 'mine' }).mobileApiKey).toBe('mine')
  })

  it('has a row in the README for every variable', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const missing = Object.keys(variables).filter((name) => !readme.includes(`| \`${name}\` |`))
    expect(missing).toEqual([])
  })
})
