import { flagIsOn } from '../../platform/db/flags.js'
import { config } from '../../platform/process/config.js'

/** Whether suggestions are available: the key is set and the flag is on (spec §4 rule 7). */
export async function triageIsOn(): Promise<boolean> {
  return config.ai.apiKey !== null && (await flagIsOn('ai_triage'))
}
