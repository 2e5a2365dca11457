import { pageUrl } from '../../platform/links/pageUrl.js'
import { headline } from '../../status/headline.js'
import { overallStatus, summarise } from '../../vocabulary/assetStatus.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { DAY, dateIn } from '../../vocabulary/time/calendar.js'
import type { Reader } from '../emails/reader.js'
import type { EmailContent } from '../emails/renderEmail.js'
import type { Digest, TwoWeeks } from './digest.js'

/** To staff: the building's week (spec §4 rule 6). The payload is a Digest. */
export async function renderDigest(reader: Reader, { payload }: OutboxMessage): Promise<EmailContent> {
  const digest = payload as Digest
  const { t, h, property } = reader
  const date = (at: string) => dateIn(property.timezone, Date.parse(at))
  const days = h.days(date(digest.from), date(digest.to))
  const down = downOf(digest)
  const weekHeadline = headlineOf(reader, down)
  return {
    view: 'digest',
    subject: t.emails.subject.digest(days, weekHeadline),
    about: { list: 'digest' },
    why: t.emails.why.staff,
    unsubscribe: { topic: 'digest', text: t.emails.stop.kind },
    bulk: true,
    data: {
      title: t.emails.digest.title(days),
      state: stateOf(reader, digest),
      sentences: [`${weekHeadline}.`, ...comparisonOf(reader, digest, down.length)].join(' '),
      tiles: tilesOf(reader, digest),
      towers: towersOf(reader, digest),
      passed: passedOf(reader, digest),
      ...waitingOf(reader, digest),
      maintenance: maintenanceOf(reader, digest),
      button: { href: pageUrl('/'), text: t.emails.button.status },
    },
  }
}

/** Assets out of service this week for at least 0.05 hours, which shows as 0.1; longest first. */
function downOf({ towers }: Digest): { name: string; hours: number }[] {
  return towers
    .flatMap(({ assets }) => assets.map(({ name, hours }) => ({ name, hours: tenths(hours.thisWeek) })))
    .filter(({ hours }) => hours > 0)
    .sort((a, b) => b.hours - a.hours)
}

/** The week in a few words: the asset that was out of service longest, or that none was. */
function headlineOf({ t, h }: Reader, [worst, ...others]: { name: string; hours: number }[]): string {
  const d = t.emails.digest
  if (!worst) return d.allWell
  const hours = d.hours(worst.hours, h.number(worst.hours))
  return others.length === 0 ? d.onlyDown(worst.name, hours) : d.worstDown(worst.name, hours)
}

/** Assets named as out of service; the status page has the others. */
const mostNamed = 5

/** The present state: what is out of service by name, else in the words of the status page. */
function stateOf({ t, h }: Reader, { towers }: Digest) {
  const assets = towers.flatMap((tower) => tower.assets)
  const summary = summarise(assets)
  const tone = overallStatus(summary)
  const down = assets.filter(({ status }) => status === 'down')
  if (down.length > 0) {
    const names = down
      .slice(0, mostNamed)
      .map(({ name, back }) => (back ? t.emails.digest.back(name, h.moment(back)) : name))
    const more = down.length - names.length
    return {
      tone,
      text: t.emails.digest.outNow([...names, ...(more > 0 ? [t.emails.more(more)] : [])].join(', ')),
    }
  }
  return { tone, text: t.emails.digest.now(headline(t, { summary, assets })) }
}

/**
 * This week's hours in sum, when several assets were down, and the change from last week; rounded
 * as they are shown.
 */
function comparisonOf({ t, h }: Reader, { towers }: Digest, down: number): string[] {
  const d = t.emails.digest
  const sum = (week: keyof TwoWeeks) => tenths(towers.reduce((all, { hours }) => all + hours[week], 0))
  const [now, before] = [sum('thisWeek'), sum('weekBefore')]
  const hours = (n: number) => d.hours(n, h.number(n))
  if (now === 0) return before === 0 ? [] : [d.wasBefore(hours(before))]
  const inAll = down > 1 ? [d.inAll(hours(now))] : []
  if (before === 0) return [...inAll, d.noneBefore]
  const difference = tenths(Math.abs(now - before))
  if (difference === 0) return [...inAll, d.same]
  return [...inAll, now < before ? d.better(hours(difference)) : d.worse(hours(difference))]
}

function tilesOf({ t, h }: Reader, { counts }: Digest) {
  const d = t.emails.digest
  return (['created', 'resolved', 'verified'] as const).map((kind) => ({
    name: d[kind],
    number: h.number(counts[kind].thisWeek),
    before: d.before(counts[kind].weekBefore),
  }))
}

/**
 * Assets with downtime as rows, longest first, each bar relative to the longest of all; the others
 * by name.
 */
function towersOf({ t, h }: Reader, digest: Digest) {
  const longest = downOf(digest)[0]?.hours ?? 0
  const inHours = ({ thisWeek, weekBefore }: TwoWeeks) => ({
    thisWeek: h.number(tenths(thisWeek)),
    weekBefore: h.number(tenths(weekBefore)),
  })
  return digest.towers.map(({ name, hours, assets }) => {
    const down = assets.filter((asset) => tenths(asset.hours.thisWeek) + tenths(asset.hours.weekBefore) > 0)
    const without = assets.filter((asset) => !down.includes(asset))
    return {
      name,
      ...inHours(hours),
      assets: down
        .toSorted((a, b) => b.hours.thisWeek - a.hours.thisWeek)
        .map((asset) => ({
          name: asset.name,
          ...inHours(asset.hours),
          href: pageUrl(`/assets/${asset.id}`),
          width: longest > 0 ? Math.round((100 * tenths(asset.hours.thisWeek)) / longest) : 0,
        })),
      without:
        without.length > 0
          ? t.emails.digest.withoutOutages(t.list(without.map((asset) => asset.name)))
          : null,
    }
  })
}

function waitingOf({ t }: Reader, { unacknowledged: { total, oldest }, to }: Digest) {
  const d = t.emails.digest
  const age = (createdAt: string) => {
    const elapsed = Date.parse(to) - Date.parse(createdAt)
    const hours = Math.floor(elapsed / 3_600_000)
    if (elapsed >= 2 * DAY) return t.days(Math.floor(elapsed / DAY))
    return hours > 0 ? t.hours(hours) : d.lessThanAnHour
  }
  return {
    waiting: oldest.map(({ id, title, severity, createdAt, where }) => ({
      id,
      title,
      where,
      severity: t.severity[severity],
      age: d.waits(age(createdAt)),
      href: pageUrl(`/incidents/${id}`),
    })),
    othersWait: total > oldest.length ? d.othersWait(total - oldest.length) : null,
  }
}

/** What was not kept: first the promises to residents, then the work that is overdue. */
function passedOf({ t, h }: Reader, { passed }: Digest) {
  const d = t.emails.digest
  const kinds = [
    { list: passed?.promises, say: d.promises, when: (at: string) => t.desk.passed(h.moment(at)) },
    { list: passed?.overdue, say: d.overdue, when: (at: string) => t.answers.overdue(h.wholeDay(at)) },
  ]
  return kinds
    .filter(({ list }) => list && list.total > 0)
    .map(({ list, say, when }) => ({
      sentence: say(list!.total),
      first: list!.first.map(({ id, title, at }) => ({
        id,
        title,
        when: when(at),
        href: pageUrl(`/incidents/${id}`),
      })),
    }))
}

function maintenanceOf({ h }: Reader, { maintenance }: Digest) {
  return maintenance.map(({ title, assetName, towerName, startsAt, endsAt }) => ({
    title,
    where: `${assetName}, ${towerName}`,
    when: h.range(startsAt, endsAt),
  }))
}

const tenths = (hours: number) => Math.round(hours * 10) / 10
