/** The switches admins have. */
export const flagPage = {
  title: 'Feature switches',
  intro: 'Turn parts of the service on or off.',
  on: 'On',
  off: 'Off',
  switchOn: 'Turn on',
  switchOff: 'Turn off',
  switchOne: (what: string, name: string) => `${what}: ${name}`,
  changed: (time: string) => `Changed ${time}.`,
  never: 'Never changed.',
  name: { ai_triage: 'Suggestions while reporting' },
  about: {
    ai_triage:
      'AI reads the title and text of a report and suggests what’s broken and how bad it is. It doesn’t see names or photos. This needs an API key in the server settings.',
  },
}

/** The page that says what programs can ask. */
export const apiPage = {
  title: 'API',
  intro:
    'Everything on this site is also available as JSON. Times are UTC. Errors are problem documents (RFC 9457).',
  document: 'OpenAPI document',
  nouns: 'Resources',
  who: 'Who can use it:',
  everyone: 'everyone',
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

/** After a feature was switched on or off. */
export const appNotices = {
  switched: 'Feature switch changed.',
}
