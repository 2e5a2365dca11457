import { query } from '../platform/db/database.js'
import {
  emptySuggestion,
  readSuggestion,
  rereadSuggestion,
  type Suggestion,
  type TriageContext,
  triageInstructions,
} from './triageAnswer.js'
import { askTriageProvider } from './triageProvider.js'

/** Open incidents sent to the provider, newest first. */
const mostIncidents = 100

/**
 * The provider's suggestion for a report (decision 4.11). Stores nothing. Empty for a report without text, and
 * when anything goes wrong at the provider.
 */
export async function suggestTriage(report: { title: string; description: string }): Promise<Suggestion> {
  if (report.title === '' && report.description === '') return emptySuggestion
  const context = await triageContext()
  const question = JSON.stringify({ report, ...context })
  return askTriageProvider(triageInstructions, question).then(
    (answer) => readSuggestion(answer, context),
    () => emptySuggestion,
  )
}

/** The suggestion that a form sent back; its ids are looked up again. */
export async function carriedSuggestion(text: string): Promise<Suggestion> {
  return rereadSuggestion(text, await triageContext())
}

async function triageContext(): Promise<TriageContext> {
  const [assets, incidents] = await Promise.all([
    query<{ id: number; name: string }>(
      `select a.id, t.name || ': ' || a.name as name from assets a join towers t on t.id = a.tower_id
       where a.archived_at is null order by t.sort_order, a.sort_order, a.id`,
    ),
    query<{ id: number; title: string }>(
      `select id, title from incidents where resolved_at is null and merged_into_id is null order by id desc limit $1`,
      [mostIncidents],
    ),
  ])
  return { assets, incidents }
}
