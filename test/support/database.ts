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
    await dropped(name)
  })
  return () => url
}

/** The server's own vacuum may hold on to a database for a moment, and only the server may end it. */
async function dropped(name: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await asOwner(`drop database if exists ${name} with (force)`)
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
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
