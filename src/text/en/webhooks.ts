import type { EventName, testEvent } from '../../vocabulary/events.js'
import { limits } from '../../vocabulary/limits.js'

const outcomes: Record<string, string> = {
  timeout: 'no complete response within 5 seconds',
  dns: 'the host name wasn’t found',
  refused: 'the connection was refused',
  reset: 'the connection was lost',
  tls: 'the certificate isn’t valid',
  'bad answer': 'the response wasn’t HTTP',
  'blocked address': 'the address isn’t on the public internet',
  inactive: 'the webhook was turned off',
  interrupted: 'this service stopped before it finished',
  backlog: 'too many deliveries were waiting',
  paused: 'sending was paused for this building',
  body: 'the message couldn’t be put together',
}

/** The pages of webhooks and their delivery log. */
export const webhookPages = {
  title: 'Webhooks',
  intro: 'Send events to other services.',
  none: 'No webhooks yet.',
  create: 'Add a webhook',
  edit: (url: string) => `Webhook to ${url}`,
  remove: 'Delete this webhook',
  fields: {
    url: 'URL',
    events: 'Events',
    format: 'Format',
    active: 'Active',
    secret: 'Signing secret',
    lastStatus: 'Last response',
    lastFiredAt: 'Last sent',
  },
  hints: {
    url: 'Where to send events, for example https://receiver.example/hook',
    format: 'For a chat, enter its incoming webhook as the URL.',
    secret: 'Leave blank to generate a secret for a new webhook, or to keep the current one.',
    active: 'Inactive webhooks don’t send anything.',
  },
  format: { caretaker: 'JSON', slack: 'Slack', teams: 'Microsoft Teams' },
  event: {
    'incident.created': 'New report (incident.created)',
    'incident.status_changed': 'Report status changed (incident.status_changed)',
    'incident.sla_breached': 'Report overdue for a reply (incident.sla_breached)',
    'incident.merged': 'Duplicate merged (incident.merged)',
    'asset.status_changed': 'Asset status changed (asset.status_changed)',
  },
  never: 'never',
  answered: (status: string) => `Response ${status}`,
  failed: (code: string) => `Failed: ${Object.hasOwn(outcomes, code) ? outcomes[code] : code}`,
  waiting: 'In progress',
  milliseconds: (n: string) => `${n} ms`,
  test: {
    title: 'Send a test',
    hint: 'Sends a webhook.test event and shows the response.',
    send: 'Send a test',
    sent: (outcome: string, duration: string) =>
      duration ? `Test sent. ${outcome}, after ${duration}.` : `Test sent. ${outcome}.`,
    open: 'The test is still in progress. Reload this page in a moment.',
  },
  log: {
    link: 'Delivery log',
    title: 'Delivery log',
    intro: `Everything sent in the last ${limits.deliveryDays} days, newest first. Webhooks aren’t retried.`,
    none: 'Nothing sent yet.',
    noMore: 'No older deliveries.',
    back: 'Back to the webhook',
    event: 'Event',
    status: 'Outcome',
    duration: 'Duration',
    createdAt: 'When',
    body: 'Body',
    open: 'Show body',
    show: (id: number) => `Show body: delivery ${id}`,
    older: 'Older deliveries',
  },
  secret: {
    title: 'Signing secret',
    once: 'Copy this secret now. We won’t show it again.',
    label: 'Secret',
    use: 'Your receiver uses it to check the X-Service-Signature header. If you lose it, make a new one.',
    done: 'Done',
    rotateTitle: 'Signing secret',
    ends: (mask: string) => `Saved and hidden: ${mask}`,
    rotateHint: 'Replaces the current secret straight away. Update your receiver.',
    rotate: 'Make a new secret',
  },
}

/** What webhooks write into chats. */
export const chats = {
  event: {
    'incident.created': 'New report',
    'incident.status_changed': 'Report status changed',
    'incident.sla_breached': 'Report overdue for a reply',
    'incident.merged': 'Duplicate merged',
    'asset.status_changed': 'Asset status changed',
    'webhook.test': 'Test message: events will arrive here.',
  } satisfies Record<EventName | typeof testEvent, string>,
  open: 'Open details',
}
