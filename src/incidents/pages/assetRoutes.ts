import { Asset, Contact } from '../../building/building.js'
import { contactEntity } from '../../building/entities/contactEntity.js'
import { followBox } from '../../notifications/follow/followBox.js'
import type { Context } from '../../platform/http/context.js'
import { addressFor, both } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { can } from '../../platform/http/request/allow.js'
import { route } from '../../platform/http/route/route.js'
import { badDays, linkWidths } from '../../status/present/dayBar.js'
import { presentAsset } from '../../status/present/status.js'
import { presentAssetRow } from '../../status/present/statusPage.js'
import { latestStatement } from '../../status/queries/latestStatement.js'
import { rollupRows } from '../../status/queries/rollup.js'
import { assetYear } from '../../status/queries/year.js'
import { currentState } from '../../status/stateCache.js'
import { limits } from '../../vocabulary/limits.js'
import { NotFound, orNotFound } from '../../vocabulary/validation.js'
import { closedAs, reportedByStaff } from '../model/json/incidentJson.js'
import { listIncidents } from '../model/listedIncidents.js'
import { AssetDetailJson, presentAssetIncident, presentAssetYear, presentRollup } from './assetDetailJson.js'
import { costChart, presentAlternatives, presentStatement } from './assetPage.js'

export const assetRoutes = [
  route({
    method: 'get',
    paths: both('/assets/:id'),
    group: 'assets',
    otherSites: true,
    indexed: 'pages',
    summary: 'One asset with its daily history, incidents, maintainer and, for staff, its last year.',
    permission: 'asset.read',
    keptOffline: true,
    answer: AssetDetailJson,
    paged: true,
    handle: async ({ ctx, params: { id: assetId }, viewer }) => {
      const { assets, dates } = await currentState()
      const asset = assets.find(({ id }) => id === assetId)
      if (!asset) return toHistory(ctx, assetId)
      const [{ description }, contact, { rows: incidents, more }, rollup, year] = await Promise.all([
        Asset.query().findById(assetId).throwIfNotFound(),
        contactFor(ctx, assetId),
        listIncidents({ assetId, limit: limits.assetIncidents }),
        viewer.staff ? rollupRows(assetId) : null,
        viewer.staff ? assetYear(assetId) : null,
      ])
      if (more) ctx.set('Link', `<${addressFor(ctx, `/incidents?assetId=${assetId}`)}>; rel="next"`)
      return {
        data: {
          ...presentAsset(asset, dates),
          description,
          ...(contact === undefined ? {} : { contact: contact && contactEntity.presentPublic(contact) }),
          incidents: incidents.map((incident) => presentAssetIncident(incident, viewer)),
          ...(rollup ? presentRollup(rollup) : {}),
          ...(year ? presentAssetYear(year) : {}),
        },
        view: 'building/asset',
        extras: async () => {
          const { cause, unconfirmed } = asset
          const statement = cause && (await latestStatement(cause.id))
          return {
            row: presentAssetRow(asset, dates, linkWidths.inCard),
            badDays: badDays(asset, dates),
            from: dates[0]!,
            /** What one tap confirms (decision 7.17). */
            confirmable: unconfirmed.slice(0, limits.recordsPerRequest),
            cause: cause && { id: cause.id, title: cause.title },
            statement: statement && presentStatement(statement),
            alternatives: presentAlternatives(asset, assets),
            byStaff: reportedByStaff(incidents),
            closedAs: closedAs(incidents),
            more,
            chart: year && costChart(year.months),
            follow: await followBox(ctx, { incidentId: null, assetId, towerId: null }),
          }
        },
      }
    },
  }),
]

/** Guests see a contact that is public, and of others not even that there is one: undefined. */
async function contactFor(ctx: Context, assetId: number): Promise<Contact | null | undefined> {
  const contact = await Contact.ofAsset(assetId)
  return contact?.isPublic || can(ctx, 'contact.read') ? contact : undefined
}

/**
 * Redirects the page of an archived asset, which has no state, to its incidents. JSON requests
 * always throw NotFound.
 */
async function toHistory(ctx: Context, assetId: number) {
  orNotFound(await Asset.query().findById(assetId))
  if (representationOf(ctx) === 'json') throw new NotFound()
  return { location: `/incidents?assetId=${assetId}`, notice: 'assetArchived' }
}
