import { mostAtOnce } from '../../actions/incidents/manyIncidents.js'
import { limits } from '../../domain/system/limits.js'
import { NotFound, orNotFound } from '../../domain/system/validation.js'
import { assetYear } from '../../models/building/assetYear.js'
import { Asset, Contact } from '../../models/building/building.js'
import { Incident } from '../../models/incidents/incident.js'
import { latestStaffWord } from '../../models/incidents/latestStaffUpdate.js'
import { rollupRows } from '../../models/status/rollup.js'
import { followBox } from '../../pages/mail/followBox.js'
import { currentState } from '../../pages/status/statusFastPath.js'
import { AssetDetailJson, presentAssetDetail } from '../../presenters/building/asset.js'
import { presentAlternatives, presentStaffWord } from '../../presenters/building/assetAnswer.js'
import { costChart } from '../../presenters/building/assetYear.js'
import { closedAs, reportedByStaff } from '../../presenters/incidents/incident.js'
import { presentAssetRow } from '../../presenters/status/statusPage.js'
import { representationOf } from '../../web/answer/respond.js'
import type { Context } from '../../web/context.js'
import { can } from '../../web/request/allow.js'
import { addressFor, both } from '../../web/request/both.js'
import { route } from '../../web/route/route.js'

export const assetRoutes = [
  route({
    method: 'get',
    paths: both('/assets/:id'),
    summary: 'One asset with its daily history, incidents, maintainer and, for staff, its last year.',
    permission: 'asset.read',
    answer: AssetDetailJson,
    paged: true,
    handle: async ({ ctx, params: { id: assetId }, viewer }) => {
      const { assets, dates } = await currentState()
      const asset = assets.find(({ id }) => id === assetId)
      if (!asset) return toHistory(ctx, assetId)
      const [{ description }, contact, { rows: incidents, more }, word, rollup, year] = await Promise.all([
        Asset.query().findById(assetId).throwIfNotFound(),
        can(ctx, 'contact.read') ? Contact.ofAsset(assetId) : undefined,
        Incident.list({ assetId, limit: limits.assetIncidents }),
        asset.cause && latestStaffWord(asset.cause.id),
        viewer.staff ? rollupRows(assetId) : null,
        viewer.staff ? assetYear(assetId) : null,
      ])
      if (more) ctx.set('Link', `<${addressFor(ctx, `/incidents?assetId=${assetId}`)}>; rel="next"`)
      return {
        data: presentAssetDetail(asset, dates, { description, contact, incidents, rollup, year }, viewer),
        view: 'building/asset',
        extras: {
          row: presentAssetRow(asset, dates),
          /** What one tap confirms (decision 7.17). */
          confirmable: asset.unconfirmed.slice(0, mostAtOnce),
          cause: asset.cause && { id: asset.cause.id, title: asset.cause.title },
          word: word && presentStaffWord(word),
          alternatives: presentAlternatives(asset, assets),
          byStaff: reportedByStaff(incidents),
          closedAs: closedAs(incidents),
          more,
          chart: year && costChart(year.months),
          follow: await followBox(ctx, { incidentId: null, assetId, towerId: null }),
        },
      }
    },
  }),
]

/** An archived asset has no state: its page redirects to its incidents. Throws NotFound, for JSON always. */
async function toHistory(ctx: Context, assetId: number) {
  orNotFound(await Asset.query().findById(assetId))
  if (representationOf(ctx) === 'json') throw new NotFound()
  return { location: `/incidents?assetId=${assetId}`, notice: 'assetArchived' }
}
