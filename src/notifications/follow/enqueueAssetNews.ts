import type { Change } from '../../platform/db/change.js'

/** Notifies the followers of the asset of a change of its expected end. */
export async function enqueueExpectedNews(c: Change, assetId: number | null): Promise<void> {
  if (assetId !== null) await enqueueNews(c, assetId, 'expected', {})
}

/** Keeps news of an asset for its followers. No one is notified of the demo's history. */
export async function enqueueNews(c: Change, assetId: number, event: string, payload: object): Promise<void> {
  if (c.actor.past) return
  await c.trx('email_events').insert({ event, assetId, payload, createdAt: c.now })
}
