import { Asset } from '../building/building.js'
import { Incident } from '../incidents/incident.js'
import type { Context } from '../platform/http/context.js'
import { typedIn } from '../platform/http/request/input.js'
import { triageIsOn } from '../platform/ops/flag.js'
import { carriedSuggestion, suggestTriage } from './suggestTriage.js'
import { emptySuggestion, type Suggestion } from './triageAnswer.js'

/** The words of a report, and what the button of an earlier suggestion sends with them. */
type Asked = {
  title: string
  description: string
  apply?: string | undefined
  suggested?: string | undefined
}

/**
 * The report form's values and the suggestion beside them. A pressed button copies one suggested value into
 * the form; nothing else is ever applied (spec §4 rule 7).
 */
export async function suggestionFor(
  ctx: Context,
  { apply, suggested, ...report }: Asked,
): Promise<Record<string, unknown>> {
  const values = typedIn(ctx)
  if (!(await triageIsOn())) return { values }
  const isAgain = apply !== undefined && suggested !== undefined
  const suggestion = isAgain ? await carriedSuggestion(suggested) : await suggestTriage(report)
  return {
    values: isAgain ? { ...values, ...applied(apply, suggestion) } : values,
    suggestion: await named(suggestion),
  }
}

function applied(what: string, { assetId, severity }: Suggestion): Record<string, unknown> {
  if (what === 'severity') return { severity }
  return what === 'asset' && assetId !== undefined
    ? { place: 'asset', assetId: String(assetId), unitId: '' }
    : {}
}

async function named(suggestion: Suggestion): Promise<Record<string, unknown>> {
  const { assetId, isDuplicateOf } = suggestion
  const [assets, duplicate] = await Promise.all([
    assetId === undefined ? [] : Asset.inUse(),
    isDuplicateOf === undefined ? null : Incident.find(isDuplicateOf),
  ])
  return {
    ...suggestion,
    assetName: assets.find(({ id }) => id === assetId)?.name,
    duplicate: duplicate && { id: duplicate.id, title: duplicate.title },
    carried: JSON.stringify(suggestion),
    isEmpty: JSON.stringify(suggestion) === JSON.stringify(emptySuggestion),
  }
}
