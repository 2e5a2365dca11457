import { z } from 'zod'
import { type PageOfRows, pageInBytes } from '../../platform/db/listing.js'
import { shape } from '../../platform/http/json.js'
import { both } from '../../platform/http/request/both.js'
import { linkNext, olderThan, PageQuery, pageOf } from '../../platform/http/request/paging.js'
import { route } from '../../platform/http/route/route.js'
import { limits } from '../../vocabulary/limits.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { type ListedIncident, listedFrom } from '../incident.js'
import { closedAs, incidentJson, presentIncident } from '../json.js'

/** An incident the user reported (`mine`), follows, or both. */
export type OwnReport = ListedIncident & { mine: boolean; following: boolean }

/**
 * Incidents this user reported or follows, newest first, older than the id `before`. Without merged
 * duplicates: their reporter and followers follow the survivor.
 */
export async function ownReports(
  userId: number,
  { before, limit }: { before: number | undefined; limit: number },
  bytes: number,
): Promise<PageOfRows<OwnReport>> {
  return pageInBytes(
    `with own as (
       select id from incidents where reporter_id = $1
       union select incident_id from followers where user_id = $1
     ), shown as (
       select i.* from incidents i join own using (id)
       where i.merged_into_id is null and (i.dismissed_at is null or i.reporter_id = $1) and ($2::integer is null or i.id < $2)
       order by i.id desc limit $3
     )
     select listed.*, listed."reporterId" is not distinct from $1 as mine, f.user_id is not null as following
     from (${listedFrom('shown')}) listed
     left join followers f on f.incident_id = listed.id and f.user_id = $1
     order by listed.id desc`,
    [userId, before ?? null, limit + 1],
    { limit, bytes },
  )
}

/** An incident in a list (spec §2), with its relation to the caller. */
export const OwnReportJson = shape('OwnReport', {
  ...incidentJson,
  reportedByMe: z.boolean(),
  nameHidden: z.boolean(),
  following: z.boolean(),
})

export function presentOwnReport(row: OwnReport, viewer: Viewer): z.output<typeof OwnReportJson> {
  return {
    ...presentIncident(row, viewer),
    reportedByMe: row.mine,
    nameHidden: row.mine && row.isAnonymous,
    following: row.following,
  }
}

export const myReportRoutes = [
  route({
    method: 'get',
    paths: both('/my-reports'),
    summary: 'Lists incidents you reported or follow, newest first.',
    permission: 'incident.own',
    query: PageQuery,
    answer: z.array(OwnReportJson),
    paged: true,
    handle: async ({ ctx, query, viewer }) => {
      const found = await ownReports(ctx.state.user!.id, pageOf(ctx, query), limits.pageBytes)
      const next = linkNext(ctx, olderThan(found))
      return {
        data: found.rows.map((row) => presentOwnReport(row, viewer)),
        view: 'incidents/mine',
        extras: { next, closedAs: closedAs(found.rows) },
      }
    },
  }),
]
