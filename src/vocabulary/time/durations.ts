/** In milliseconds. */
export const HOUR = 3_600_000

/** 24 elapsed hours in milliseconds; a calendar day may have 23 or 25 of them. */
export const DAY = 86_400_000

/** Seven times 24 elapsed hours in milliseconds. */
export const WEEK = 7 * DAY
