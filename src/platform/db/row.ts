import { Model, QueryBuilder } from 'objection'
import { retryOnce } from './prepared.js'

/**
 * Repeats a statement outside a change as `query` does. Inside one, the whole change is repeated:
 * an error has ended its transaction.
 */
class RetryingQueryBuilder<M extends Model, R = M[]> extends QueryBuilder<M, R> {
  override execute(): Promise<R> {
    const attempt = () => super.execute()
    return this.context().transaction === Model.knex() ? retryOnce(attempt) : attempt()
  }
}

/** A table row: `declare` the columns, as an own `undefined` property would be written. */
export class Row extends Model {
  static override QueryBuilder = RetryingQueryBuilder

  declare id: number
}

/** A Row whose columns are the type parameter. */
export const rowOf = <Columns>() =>
  Row as unknown as Omit<typeof Row, 'prototype'> & (new () => Row & Columns)
