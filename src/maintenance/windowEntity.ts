import { z } from 'zod'
import {
  type ColumnKind,
  dayColumn,
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  wholeColumn,
  word,
} from '../platform/db/columnKinds.js'
import { query } from '../platform/db/database.js'
import { instantText } from '../platform/http/json.js'
import { entity } from '../platform/http/records/entity.js'
import type { RowOf } from '../platform/http/records/entityTypes.js'
import { options } from '../platform/http/records/sharedFields.js'
import { clearable, day, id, moment, oneOf, optionalText, singleLine } from '../vocabulary/inputRules.js'
import { limits, parseId } from '../vocabulary/limits.js'
import { spanTexts } from '../vocabulary/time/intervals.js'
import {
  type Recurrence,
  type RecurringWindow,
  recurrences,
  type WindowException,
} from '../vocabulary/time/recurrence.js'
import { nextOccurrences } from '../vocabulary/time/series.js'

/** One occurrence of a window. */
export const OccurrenceJson = z.strictObject({ startsAt: instantText, endsAt: instantText })

/** Dates of a series that were moved to other times or skipped (null). */
const exceptionsJson = z.array(
  z.strictObject({
    date: z.iso.date(),
    startsAt: instantText.nullable(),
    endsAt: instantText.nullable(),
  }),
)
const exceptionsColumn: Pick<ColumnKind<WindowException[], typeof exceptionsJson>, 'json' | 'present'> = {
  json: exceptionsJson,
  present: (exceptions) => {
    const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    return exceptions.map(({ date, startsAt, endsAt }) => ({
      date,
      startsAt: text(startsAt),
      endsAt: text(endsAt),
    }))
  },
}

/** Work may be planned in these years: others are typing errors, and slow to expand. */
const years = { from: Date.UTC(1970, 0), to: Date.UTC(2200, 0) }

/** An instant in those years; `zone` is the property's. */
export const windowTime = (field: string, zone: string) =>
  moment(field, zone).refine((at) => at.getTime() >= years.from && at.getTime() < years.to, `${field}_far`)

type Times = {
  startsAt: Date
  endsAt: Date
  recurrence: Recurrence
  until?: string | null
  exceptions?: WindowException[]
}

/** The times of a window in epoch ms, as the domain rules take them. */
export function timesOf({ startsAt, endsAt, recurrence, until, exceptions = [] }: Times): RecurringWindow {
  return {
    startsAt: startsAt.getTime(),
    endsAt: endsAt.getTime(),
    recurrence,
    until: until ?? null,
    exceptions,
  }
}

/** The occurrence of now, or the next; null when all are over. `now` in epoch milliseconds. */
function nextOccurrence(window: Times & { zone: string; now: number }) {
  const [next] = nextOccurrences(timesOf(window), window.zone, window.now, 1)
  return next ? spanTexts(next) : null
}

/** Assets in use, and archived ones that meet the condition on `a`; in display order. */
export async function assetsInUseOr(
  condition: string,
  values: unknown[] = [],
): Promise<{ id: number; name: string; towerName: string }[]> {
  return query(
    `select a.id, a.name, t.name as tower_name from assets a join towers t on t.id = a.tower_id
     where a.archived_at is null or ${condition}
     order by t.sort_order, t.id, a.sort_order, a.id`,
    values,
  )
}

/** SQL: the skipped and moved dates of a window `r`, by date. */
const exceptions = `(
  select coalesce(json_agg(json_build_object(
    'date', x.date,
    'startsAt', epoch_ms(x.starts_at),
    'endsAt', epoch_ms(x.ends_at)
  ) order by x.date), '[]')
  from maintenance_exceptions x
  where x.window_id = r.id)`

const isOfWindow = 'a.id = (select asset_id from maintenance_windows where id = $1)'

/**
 * Planned work on an asset (spec §2), with the asset's name, and the clock (epoch ms) and time zone
 * for its next occurrence. Filter `state`: `coming` (some of it has not ended) or `over`.
 */
export const windowEntity = entity({
  name: 'maintenance_window',
  json: { office: 'MaintenanceWindow' },
  from: 'maintenance_windows r join assets a on a.id = r.asset_id',
  search: `concat_ws(' ', r.title, a.name, r.notes)`,
  filters: {
    assetId: 'r.asset_id = $',
    state: `ends_after(r, now()) = ($ = 'coming')`,
  },
  fields: {
    id: { column: idColumn },
    assetId: {
      column: idColumn,
      input: id('asset'),
      form: {
        control: 'select',
        options: async ({ params, state: { text } }) => [
          { value: '', label: text.records.choose },
          ...(await assetsInUseOr(isOfWindow, [parseId(params.id)])).map((asset) => ({
            value: String(asset.id),
            label: `${asset.name}, ${asset.towerName}`,
          })),
        ],
        adds: { href: '/admin/assets/new', label: (text) => text.assets.create },
      },
    },
    title: {
      column: textColumn,
      input: singleLine('title', limits.title),
      form: { control: 'line', maxlength: limits.title },
      sort: { name: 'title', by: 'lower(r.title)', type: 'text' },
      list: true,
    },
    assetName: {
      column: textColumn,
      sql: 'a.name',
      sort: { name: 'asset', by: 'lower(a.name)', type: 'text' },
      list: {
        cell: ({ assetName, assetArchived }: { assetName: string; assetArchived: boolean }, { t }) =>
          assetArchived ? t.records.archivedName(assetName) : assetName,
      },
    },
    assetArchived: { column: flagColumn, sql: 'a.archived_at is not null', reader: 'none' },
    startsAt: {
      column: instantColumn,
      input: ({ zone }) => windowTime('startsAt', zone),
      form: { control: 'datetime' },
      sort: { name: 'start', by: 'r.starts_at', type: 'timestamptz' },
      list: { cell: ({ startsAt }: { startsAt: Date }, { h }) => h.when(startsAt.toISOString()) },
    },
    endsAt: {
      column: instantColumn,
      input: ({ zone }) => windowTime('endsAt', zone),
      form: { control: 'datetime' },
    },
    recurrence: {
      column: word(recurrences),
      input: z.preprocess(
        (value) => (value === '' ? 'none' : value),
        oneOf('recurrence', recurrences).default('none'),
      ),
      form: {
        control: 'select',
        options: ({ state: { text } }) => options(recurrences, (each) => text.recurrence[each]),
      },
      list: { cell: ({ recurrence }: { recurrence: Recurrence }, { t }) => t.recurrence[recurrence] },
    },
    until: {
      column: orNull(dayColumn),
      input: clearable(day('until').refine((date) => date < '2200', 'until_far')),
      form: { control: 'date' },
    },
    exceptions: { column: exceptionsColumn, sql: exceptions },
    notes: { column: textColumn, input: optionalText('notes'), form: { control: 'text' } },
    nextOccurrence: { computed: { json: OccurrenceJson.nullable(), of: nextOccurrence } },
    next: {
      list: {
        cell: (window: Times & { zone: string; now: number }, { t, h }) => {
          const next = nextOccurrence(window)
          return next ? h.range(next.startsAt, next.endsAt) : t.maintenance.over
        },
      },
    },
    now: { column: wholeColumn, sql: 'epoch_ms(now())', reader: 'none' },
    zone: { column: textColumn, sql: '(select timezone from properties)', reader: 'none' },
  },
})

export type ListedWindow = RowOf<typeof windowEntity>

export const { find: findWindow, present: presentWindow, json: WindowJson } = windowEntity.records
