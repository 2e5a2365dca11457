declare module 'knex/lib/dialects/postgres/index.js' {
  import knex from 'knex'

  /** Knex's dialect of PostgreSQL, to be extended and given back to Knex as its `client`. */
  class PostgresDialect extends knex.Client {
    override query(connection: unknown, statement: string | { sql: string }): Promise<unknown>
  }
  export = PostgresDialect
}
