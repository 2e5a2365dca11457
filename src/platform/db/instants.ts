/** SQL: an instant as whole epoch milliseconds. */
export const epochMs = (instant: string) => `floor(extract(epoch from ${instant}) * 1000)::float8`

/** SQL: an instant as in JSON: ISO 8601 in UTC, with milliseconds and Z. */
export const isoText = (instant: string) =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL: an instant as PostgreSQL prints it in UTC, always with microseconds. */
export const printedText = (instant: string) =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US"+00"')`
