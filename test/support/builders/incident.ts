import { type GivenReport, report } from '../house/report.js'

export type GivenIncident = GivenReport

export const anIncident = report
