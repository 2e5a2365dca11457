import { overdueReport } from '../house/report.js'

export const anOverdue = overdueReport
