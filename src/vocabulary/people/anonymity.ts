/**
 * Shown to non-staff for reporters who chose anonymity (spec §2, decision 2.9); the same in every
 * JSON.
 */
export const anonymousName = 'Anonymous resident'

/** Shown to everyone for an unknown sender of an email (decision 2.10); the same in every JSON. */
export const mailName = 'By email'

/** The one user of every phone in the building; pages say how the report came instead. */
export const mobileReporterName = 'Mobile Reporter'
