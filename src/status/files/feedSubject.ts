import { config } from '../../platform/process/config.js'
import { isLocale, type Locale, texts } from '../../text/index.js'
import { emailHostOf } from '../../vocabulary/email/ownEmail.js'
import type { AssetState } from '../present/assetState.js'
import type { BuildingState } from '../present/status.js'

/** The building, or one asset (`path` is then its page's), of a feed, a calendar or a badge. */
export type FeedSubject = { state: BuildingState; asset: AssetState | null; path: string }

/** The words of the building's language, its name or the asset's, and ids that stay (RFC 4151). */
export function feedSubjectWords({ state: { property }, asset, path }: FeedSubject) {
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

const ownHost = () => emailHostOf(config.publicUrl, config.email.from)
