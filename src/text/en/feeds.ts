/** What feed readers, calendars and badges show. */
export const feeds = {
  news: (name: string) => `Status of ${name}`,
  planned: (name: string) => `Planned work: ${name}`,
  cancelled: (title: string) => `Cancelled: ${title}`,
  outage: { down: 'Out of service', degraded: 'Working with problems' },
  since: (from: string) => `since ${from}`,
  newsLink: 'News (Atom)',
  calendarLink: 'Calendar of planned work',
}

/** What webhooks write into chats. */
export const chats = {
  event: {
    'incident.created': 'New report',
    'incident.status_changed': 'A report has a new status',
    'incident.sla_breached': 'Nobody answered a report in time',
    'incident.merged': 'A duplicate was merged',
    'asset.status_changed': 'The state of a thing changed',
    'webhook.test': 'A test: messages arrive here.',
  } as Record<string, string>,
  open: 'Open it',
}
