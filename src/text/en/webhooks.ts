import { plural } from '../plural.js'

const count = plural('en')

const outcomes: Record<string, string> = {
  timeout: 'no whole answer within 5 seconds',
  dns: 'the name has no address',
  refused: 'nobody answered there',
  reset: 'the connection broke',
  tls: 'the certificate is not valid',
  'bad answer': 'the answer was not HTTP',
  'blocked address': 'the address is not on the public internet',
  inactive: 'the webhook was switched off',
  interrupted: 'this service stopped in the middle of it',
  backlog: 'too many were waiting',
  paused: 'this building was sending nothing',
}

/** The pages of webhooks and their delivery log. */
export const webhookPages = {
  title: 'Webhooks',
  intro: 'Addresses of other services that are told when something happens in the building.',
  none: 'There is no webhook yet.',
  create: 'Add a webhook',
  edit: (url: string) => `Webhook to ${url}`,
  remove: 'Delete this webhook',
  fields: {
    url: 'Address',
    events: 'Events',
    format: 'Form of the messages',
    active: 'Active',
    secret: 'Signing secret',
    lastStatus: 'Last answer',
    lastFiredAt: 'Last sent',
  },
  hints: {
    url: 'Where the events are sent, for example https://receiver.example/hook',
    format: 'For a chat, paste the address of its incoming webhook above.',
    secret: 'Leave it empty: a new webhook gets one made for it, an existing one keeps its own.',
    active: 'Nothing is sent to a webhook that is not active.',
  },
  format: { caretaker: 'Caretaker (JSON, as described)', slack: 'Slack', teams: 'Microsoft Teams' },
  event: {
    'incident.created': 'A new report (incident.created)',
    'incident.status_changed': 'A report has a new status (incident.status_changed)',
    'incident.sla_breached': 'Nobody answered a report in time (incident.sla_breached)',
    'incident.merged': 'A duplicate was merged (incident.merged)',
    'asset.status_changed': 'An asset works, or does not (asset.status_changed)',
  },
  never: 'never',
  answered: (status: string) => `Answered ${status}`,
  failed: (code: string) => `Failed: ${Object.hasOwn(outcomes, code) ? outcomes[code] : code}`,
  waiting: 'Not ended yet',
  milliseconds: (n: string) => `${n} ms`,
  test: {
    title: 'Try it',
    hint: 'Sends the event webhook.test, with nothing but the building in it, and shows what the receiver answers.',
    send: 'Send a test',
    sent: (outcome: string, duration: string) =>
      duration ? `The test was sent. ${outcome}, after ${duration}.` : `The test was sent. ${outcome}.`,
    open: 'The test is on its way and has not ended yet. Load this page again in a moment.',
  },
  log: {
    link: 'Delivery log',
    title: 'Delivery log',
    intro: 'What was sent in the last 30 days, newest first. Each delivery is tried once.',
    none: 'Nothing was sent yet.',
    noMore: 'There is nothing older.',
    back: 'Back to the webhook',
    event: 'Event',
    status: 'Outcome',
    duration: 'Duration',
    createdAt: 'When',
    body: 'Body',
    open: 'Show',
    show: (id: number) => `Show the body of delivery ${id}`,
    older: 'Older deliveries',
  },
  secret: {
    title: 'The signing secret',
    once: 'Copy it now: it is shown this one time and never again.',
    label: 'Secret',
    use: 'The receiver checks the X-Service-Signature header with it. If it is lost, make a new one.',
    done: 'I have copied it',
    rotateTitle: 'Signing secret',
    ends: (mask: string) => `It is stored and hidden: ${mask}`,
    rotateHint: 'A new secret takes the place of the old one at once: the receiver must know it, too.',
    rotate: 'Make a new secret',
  },
}

/** Mails, app messages and webhook deliveries that did not arrive. */
export const deliveryPage = {
  title: 'Not delivered',
  intro:
    'What could not be delivered in the last 30 days. Mails and app messages were tried several times and can be tried again; webhooks are tried once, ever.',
  none: 'Nothing was given up.',
  kind: { mail: 'Email', push: 'App message', webhook: 'Webhook' },
  fields: {
    what: 'What',
    kind: 'How',
    to: 'To',
    why: 'Why',
    failed: 'Given up',
    again: 'Again',
  },
  event: {
    'incident.created': 'New report',
    'incident.status_changed': 'New status',
    'incident.sla_breached': 'Not answered in time',
    'incident.merged': 'Duplicate merged',
    'asset.status_changed': 'Asset status',
    'sweep.report': 'Reports nobody answered',
    digest: 'Weekly digest',
    'account.invited': 'Invitation',
    'account.reset': 'New password',
    'account.sign_in': 'Link to sign in',
    'account.sign_up': 'Link to make an account',
    'account.notice': 'Safety of an account',
    'mail.received': 'Acknowledgement of a mail',
    'asset.news': 'News of a lift, a door or another thing',
    'follow.asked': 'Link to follow by mail',
    'webhook.test': 'Test of a webhook',
  } as Record<string, string>,
  followers: (n: number) =>
    count(n, {
      one: '1 person without an account follows by mail.',
      other: `${n} people without an account follow by mail.`,
    }),
  heldBack: (n: number) =>
    count(n, {
      one: '1 mail to such people was kept by the limits in the last 24 hours.',
      other: `${n} mails to such people were kept by the limits in the last 24 hours.`,
    }),
  stopped: (addresses: string, more: number) =>
    `Nothing is sent any more, because their servers refused three mails, to ${addresses}${more > 0 ? ` and ${more} more` : ''}.`,
  nobody: 'nobody',
  about: (what: string, id: number) => `${what}, INC-${id}`,
  attempts: (n: number) => count(n, { one: '1 attempt', other: `${n} attempts` }),
  waiting: {
    title: 'Waiting for the next attempt',
    many: (n: number) => count(n, { one: '1 waits', other: `${n} wait` }),
    since: 'Failing since',
    next: 'Next attempt:',
  },
  reason: {
    connection_refused: 'The server cannot be reached: it refuses the connection',
    name_not_found: 'The name of the server has no address',
    no_answer: 'The server does not answer',
    connection_lost: 'The connection breaks',
    certificate_not_trusted: 'The certificate of the server is not trusted',
    no_encryption: 'The server offers no encryption that works',
    sign_in_refused: 'The server refuses our sign-in',
    sender_refused: 'The server refuses our sender address',
    refused_for_now: 'The server takes it later, it says',
    refused: 'The server refuses the message',
    folder: 'The folder for mails cannot be written to',
    stopping: 'This service stopped in the middle of it',
    internal: 'A fault of this service: its log says more',
    other: 'It did not get through',
  },
  jobs: {
    title: 'What runs by itself',
    hint: 'What fails is tried again a few minutes later.',
    success: 'Last done',
    failure: 'Last failed',
    never: 'never',
    name: {
      sweep: 'Raising what nobody answered in time, every hour',
      digest: 'Weekly digest, on Mondays',
      tidy: 'Tidying, every hour',
      tick: 'Planned work that begins or ends, every minute',
    },
  },
  retry: 'Try again',
  retryOne: (what: string, to: string) => `Try again: ${what} to ${to}`,
}

/** The page that says what programs can ask. */
export const apiPage = {
  title: 'For programs',
  intro:
    'Everything that pages of this site show and do can be asked by programs, too. Answers are JSON; dates are UTC; what is refused comes as a problem document (RFC 9457).',
  document: 'The same as an OpenAPI document',
  nouns: 'What there is',
  who: 'Who may:',
  everybody: 'everybody',
  machine: {
    mobile: 'mobile app',
    cron: 'scheduler',
    inbound: 'mail provider',
    monitor: 'monitor',
  } as Record<string, string>,
  inPath: 'In the address',
  inQuery: 'In the query',
  fields: 'Fields',
  files: 'Files, in a multipart form',
  required: 'required',
  onlyFor: (who: string) => `only ${who}`,
  once: 'Sent again with the same Idempotency-Key, it is done once.',
  answers: 'Answers:',
  problems: 'Problems:',
  shapes: 'What is sent and answered',
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
