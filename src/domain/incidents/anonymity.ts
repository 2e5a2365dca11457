/** The name of spec §2 for reporters who chose anonymity, to everybody who is not staff (decision 2.9): the same in all JSON. */
export const anonymousName = 'Anonymous resident'

/** The name of whoever wrote by mail and is nobody we know, to everybody (decision 2.10): the same in all JSON. */
export const mailName = 'By email'
