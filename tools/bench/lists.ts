import { auditEntries } from '../../src/audit/auditEntry.js'
import { type DeskTab, tabCounts, tabRows } from '../../src/incidents/model/deskLists.js'
import { listIncidentPage } from '../../src/incidents/model/listedIncidents.js'
import { limits } from '../../src/vocabulary/limits.js'
import { history, olderHistory, sized } from './size.js'
import { verdict } from './verdict.js'
import {
  benchDatabase,
  copyDatabase,
  fill,
  fillBuilding,
  fillHistory,
  fillIncidents,
  perSecond,
  timesAsLong,
  using,
} from './world.js'

const rounds = sized({ usual: 9, tiny: 1 })
/** Pages read in a slice. */
const reads = sized({ usual: 40, tiny: 2 })
const size = 100

/** The staff's lists: the first page, and one from the middle, whatever was asked of the list. */
const lists: Record<string, () => Promise<unknown>> = {
  'incidents, first page': () => listIncidentPage({ limit: size }, limits.pageBytes),
  'incidents, a page from the middle': () =>
    listIncidentPage({ limit: size, before: 5_000 }, limits.pageBytes),
  'incidents of one asset': () => listIncidentPage({ limit: size, assetId: 7 }, limits.pageBytes),
  'incidents by status and severity': () =>
    listIncidentPage({ limit: size, status: 'resolved', severity: 'high' }, limits.pageBytes),
  'desk, new': () => deskTab('new'),
  'desk, replies': () => deskTab('replies'),
  'desk, reopened': () => deskTab('reopened'),
  'desk, in progress': () => deskTab('inProgress'),
  'desk, to confirm': () => deskTab('toConfirm'),
  'audit log': () => auditEntries({ limit: size }),
  'audit log by action': () => auditEntries({ limit: size, action: 'incident.created' }),
}

/** A tab's first rows, with the counts of all tabs, as the desk reads them. */
const deskTab = (tab: DeskTab) => Promise.all([tabRows(tab, 0), tabCounts()])

/** Any staff list at 1,000,000 incidents against 10,000: at most 1.1 times the time. */
export async function staffLists(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(100)
    await fillHistory(history)
    await fill(auditFor)
    const large = await copyDatabase(world.url, 'large')
    await using(large, async () => {
      await fillIncidents(older)
      await fill(auditFor)
      await fill('vacuum analyze')
    })
    await using(world.url, () => fill('vacuum analyze'))
    const met: boolean[] = []
    for (const [name, read] of Object.entries(lists)) {
      const pages = () => perSecond(read, reads, 10)
      const times = await timesAsLong(pages, { small: world.url, large, rounds })
      met.push(verdict(name, times, { atMost: 1.1 }))
    }
    return met.every(Boolean)
  } finally {
    await world.stop()
  }
}

/** Long over, as nearly all of a building's history is; one in a thousand was never confirmed. */
const older = `
  insert into incidents (title, severity, status, source, asset_id, created_at, acknowledged_at, resolved_at,
    verified_at)
  select 'Old ' || n, (array['low','medium','high','critical'])[1 + (n + n / 1000) % 4],
    case when n % 1000 = 0 then 'resolved' else 'verified' end,
    'web', 1 + n % 100, at, at, at + interval '2 hours',
    case when n % 1000 = 0 then null else at + interval '3 hours' end
  from (select n, now() - interval '100 days' - n * interval '30 seconds' as at
    from generate_series(1, ${olderHistory}) n) given`

const auditFor = `
  insert into audit_entries (at, actor_type, actor_name, action, entity, entity_id, via, affects_status)
  select i.created_at, 'system', 'Bench', act, 'incident', i.id, 'cli', false
  from incidents i, unnest(array['incident.created', 'incident.status_changed']) act
  where not exists (select from audit_entries a where a.entity = 'incident' and a.entity_id = i.id)
  order by i.id, act`
