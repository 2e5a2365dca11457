import { plural } from '../plural.js'

const count = plural('en')

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
    intro: 'Everything sent in the last 30 days, newest first. Webhooks aren’t retried.',
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

/** Emails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage = {
  title: 'Delivery problems',
  intro:
    'Messages we couldn’t deliver in the last 30 days. We try to send emails and app notifications several times, and you can retry them. Webhooks aren’t retried.',
  none: 'All messages delivered.',
  kind: { mail: 'Email', push: 'App notification', webhook: 'Webhook' },
  fields: {
    what: 'Message',
    kind: 'Type',
    to: 'To',
    why: 'Reason',
    failed: 'Failed',
    again: 'Action',
  },
  event: {
    'incident.created': 'New report',
    'incident.status_changed': 'Status changed',
    'incident.sla_breached': 'Report overdue for a reply',
    'incident.merged': 'Duplicate merged',
    'asset.status_changed': 'Asset status changed',
    'sweep.report': 'Reports overdue for a reply',
    digest: 'Weekly summary',
    'account.invited': 'Invitation',
    'account.reset': 'Password reset',
    'account.sign_in': 'Sign-in link',
    'account.sign_up': 'Link to create an account',
    'account.notice': 'Account security',
    'mail.received': 'Confirmation of an email we received',
    'asset.news': 'Update on a lift, a door or other equipment',
    'follow.asked': 'Link to confirm email updates',
    'webhook.test': 'Webhook test',
  } as Record<string, string>,
  followers: (n: number) =>
    count(n, {
      one: '1 person without an account gets email updates.',
      other: `${n} people without an account get email updates.`,
    }),
  heldBack: (n: number) =>
    count(n, {
      one: 'Sending limits held back 1 email in the last 24 hours.',
      other: `Sending limits held back ${n} emails in the last 24 hours.`,
    }),
  stopped: (addresses: string, more: number) =>
    `We’ve stopped emailing ${addresses}${more > 0 ? ` and ${more} more` : ''} after 3 bounces.`,
  noOne: 'no one',
  about: (what: string, id: number) => `${what}, INC-${id}`,
  attempts: (n: number) => count(n, { one: '1 attempt', other: `${n} attempts` }),
  waiting: {
    title: 'Waiting for the next attempt',
    many: (n: number) => `${n} waiting`,
    since: 'Failing since',
    next: 'Next attempt:',
  },
  reason: {
    connection_refused: 'The server refused the connection',
    name_not_found: 'The server’s name wasn’t found',
    no_answer: 'The server isn’t responding',
    connection_lost: 'The connection was lost',
    certificate_not_trusted: 'The server’s certificate isn’t trusted',
    no_encryption: 'The server doesn’t offer encryption we can use',
    sign_in_refused: 'The server refused our sign-in',
    sender_refused: 'The server refused our sender address',
    refused_for_now: 'The server asked us to try again later',
    refused: 'The server refused the message',
    folder: 'We can’t write to the email folder',
    stopping: 'This service stopped before it finished',
    internal: 'Internal error: see the service’s log',
    other: 'Delivery failed',
  },
  jobs: {
    title: 'Scheduled jobs',
    hint: 'Failed jobs are retried a few minutes later.',
    success: 'Last run',
    failure: 'Last failure',
    never: 'never',
    name: {
      sweep: 'Escalate overdue reports (hourly)',
      digest: 'Weekly summary (Mondays)',
      tidy: 'Clean up old data (hourly)',
      tick: 'Start and end planned work (every minute)',
    },
  },
  retry: 'Try again',
  retryOne: (what: string, to: string) => `Try again: ${what} to ${to}`,
}

/** The page that says what programs can ask. */
export const apiPage = {
  title: 'API',
  intro:
    'Everything on this site is also available as JSON. Times are UTC. Errors are problem documents (RFC 9457).',
  document: 'OpenAPI document',
  nouns: 'Resources',
  who: 'Who can use it:',
  everybody: 'everyone',
  machine: {
    mobile: 'mobile app',
    cron: 'scheduler',
    inbound: 'email provider',
    monitor: 'monitor',
  } as Record<string, string>,
  inPath: 'In the path',
  inQuery: 'In the query',
  fields: 'Fields',
  files: 'Files, in a multipart form',
  required: 'required',
  onlyFor: (who: string) => `only ${who}`,
  once: 'If you send it again with the same Idempotency-Key, it’s done only once.',
  answers: 'Responses:',
  problems: 'Problems:',
  shapes: 'Schemas',
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
  } as Record<string, string>,
  open: 'Open details',
}
