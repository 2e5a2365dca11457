/** The scheduled jobs. */
export const jobNames = ['sweep', 'digest', 'tidy', 'tick'] as const

/** Runs of a backup are recorded as well, and no schedule of ours starts one. */
export type Job = (typeof jobNames)[number] | 'backup'
