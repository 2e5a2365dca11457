/** The notification shown on a phone, and data to open the right place in the app. */
export type PushMessage = {
  title: string
  body: string
  /** For the app on a phone. Texts, because the messaging service accepts nothing else. */
  data: Readonly<Record<string, string>>
  /** The page that a browser opens for it. */
  page: string
  /** A newer push with the same key replaces an unread one. */
  collapseKey: string
}
