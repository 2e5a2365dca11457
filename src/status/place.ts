import { config } from '../platform/ops/config.js'
import { isLocale, type Locale, texts } from '../text/index.js'
import { mailHostOf } from '../vocabulary/email/ownEmail.js'
import type { AssetState } from './json/assetState.js'
import type { BuildingState } from './json/status.js'

/**
 * The building, or one asset of it (`path` is then its page's), that a feed, a calendar or a badge
 * is about.
 */
export type Place = { state: BuildingState; asset: AssetState | null; path: string }

/**
 * The words of the building's own language, its name or the asset's, and ids that stay (RFC 4151).
 */
export function placeWords({ state: { property }, asset, path }: Place) {
  const locale: Locale = isLocale(property.locale) ? property.locale : 'en'
  return {
    t: texts[locale],
    locale,
    property,
    title: asset ? `${asset.name}, ${property.name}` : property.name,
    host: ownHost(),
    id: (name: string) => `tag:${ownHost()},2026:${name === 'feed' ? `feed${path}` : name}`,
  }
}

const ownHost = () => mailHostOf(config.publicUrl, config.mail.from)
