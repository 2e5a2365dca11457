import type { EffectStatement } from '../../platform/db/statement.js'

/**
 * One row for everybody who follows the asset, its tower or the building: spread into mails after
 * the commit.
 */
export const assetNews: EffectStatement = (_bind, { from, id, now }) => `
  insert into mail_events (event, asset_id, created_at) select 'asset.status_changed', ${id}, ${now} from ${from}`
