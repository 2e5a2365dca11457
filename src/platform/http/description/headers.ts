const text = { type: 'string' }

/** Headers of answers, as the document describes them; none is sent from here. */
export const headers = {
  Link: { description: 'The next page of the list, as rel="next". Not sent on the last page.', schema: text },
  Location: { description: 'The address of the new resource, or of the page to go to.', schema: text },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
}

/** Where an answer points at them. */
export const linkHeader = { Link: { $ref: '#/components/headers/Link' } }
export const locationHeader = { Location: { $ref: '#/components/headers/Location' } }
export const retryAfterHeader = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
