import { randomBytes } from 'node:crypto'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { config } from '../../src/config.js'
import { closeDatabase, openDatabase } from '../../src/database.js'

/** Gives the test file a building of its own: a copy of the template database and its photos. Returns its address. */
export function useDatabase({ empty = false } = {}): () => string {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = urlOf(name)
  beforeAll(async () => {
    await asOwner(`create database ${name}${empty ? '' : ' template template strategy file_copy'}`)
    if (!empty && existsSync(inject('photoDir')))
      cpSync(inject('photoDir'), config.photoDir, { recursive: true })
    openDatabase(url)
  })
  afterAll(async () => {
    await closeDatabase()
    await asOwner(`drop database ${name} with (force)`)
  })
  return () => url
}

function urlOf(name: string): string {
  const url = new URL(inject('databaseUrl'))
  url.pathname = path.posix.join('/', name)
  return url.href
}

async function asOwner(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
