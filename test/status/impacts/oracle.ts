/**
 * What is true of two assets, second by second, written from decisions 2.5, 2.7, 2.8 and 3.1 alone:
 * slow, and sharing nothing with the program. Seconds are counted from the beginning of a life.
 */

export const nowhere = 0
export const inFlat = 3
/** 0 no place yet, 1 and 2 the assets, 3 a flat. */
export type Place = 0 | 1 | 2 | 3

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]
export type Status = 'open' | 'acknowledged' | 'in_progress' | 'resolved' | 'verified'

/** A second's byte: nothing, or the asset and what the incident does to it. */
const mark = (place: Place, down: boolean) => (place === 1 || place === 2 ? place * 2 - (down ? 0 : 1) : 0)
export const degraded = (asset: 1 | 2) => mark(asset, false)
export const down = (asset: 1 | 2) => mark(asset, true)

const hours = 3_600
const targets: Record<Severity, number> = { critical: 4, high: 24, medium: 72, low: 168 }

export class Oracle {
  readonly incidents: Report[] = []
  now = 0

  constructor(readonly seconds: number) {}

  report(place: 1 | 2, severity: Severity): Report {
    return this.#begin(place, severity, severity === 'critical')
  }

  mail(): Report {
    return this.#begin(nowhere, 'medium', false)
  }

  #begin(place: Place, severity: Severity, isDowntime: boolean): Report {
    const report = new Report(this.seconds, this.now, place, severity, isDowntime)
    this.incidents.push(report)
    return report
  }

  /** Lets time pass: what is, goes on. */
  until(second: number): void {
    for (const report of this.incidents) report.goOn(this.now, second)
    this.now = second
  }

  sweep(): void {
    for (const report of this.incidents) {
      const late = this.now - report.created > targets[report.severity] * hours
      if (report.status !== 'open' || report.answered || report.breached || report.mergedInto || !late)
        continue
      report.breached = true
      report.severity = severities[Math.min(3, severities.indexOf(report.severity) + 1)]!
    }
  }

  /** False when it is refused. */
  merge(duplicate: Report, target: Report): boolean {
    const survivor = target.mergedInto ?? target
    if (duplicate === survivor || duplicate.mergedInto) return false
    const stillDown = duplicate.isUnresolved && duplicate.isDowntime && duplicate.place === survivor.place
    if (stillDown && survivor.isUnresolved && !survivor.isDowntime) {
      survivor.isDowntime = true
      survivor.downSince = this.now
    }
    for (const other of this.incidents) if (other.mergedInto === duplicate) other.mergedInto = survivor
    duplicate.mergedInto = survivor
    duplicate.close('verified', this.now)
    return true
  }
}

/**
 * What decides an impact, of one incident: its fields now, and what they and their impact
 * were in each past second.
 */
export class Report {
  status: Status = 'open'
  answered = false
  breached = false
  mergedInto: Report | null = null
  resolvedAt: number | null = null
  downSince: number | null = null
  downUntil: number | null = null
  readonly impact: Uint8Array
  readonly #places: Uint8Array
  readonly #severities: Uint8Array
  readonly #unresolved: Uint8Array

  constructor(
    seconds: number,
    readonly created: number,
    public place: Place,
    public severity: Severity,
    public isDowntime: boolean,
  ) {
    this.impact = new Uint8Array(seconds)
    this.#places = new Uint8Array(seconds)
    this.#severities = new Uint8Array(seconds)
    this.#unresolved = new Uint8Array(seconds)
  }

  get isUnresolved(): boolean {
    return this.resolvedAt === null && this.mergedInto === null
  }

  /** The byte of this very second. */
  get present(): number {
    if (!this.isUnresolved || !(this.isDowntime || this.severity !== 'low')) return 0
    return mark(this.place, this.isDowntime)
  }

  goOn(from: number, to: number): void {
    this.impact.fill(this.present, from, to)
    this.#places.fill(this.place, from, to)
    this.#severities.fill(severities.indexOf(this.severity), from, to)
    this.#unresolved.fill(Number(this.isUnresolved), from, to)
  }

  close(status: 'resolved' | 'verified', now: number): void {
    this.status = status
    this.answered = true
    this.resolvedAt ??= now
  }

  /** Staff sets a status; false when it is refused, or is the present one. */
  set(status: Status, now: number): boolean {
    if (this.mergedInto || this.status === 'verified' || this.status === status) return false
    if (status === 'resolved' || status === 'verified') this.close(status, now)
    else this.#reopen(status)
    return true
  }

  /** A resident says whether it is fixed. Not fixed within 72 hours: it never was. */
  answer(fixed: boolean, now: number): boolean {
    if (this.mergedInto || this.status !== 'resolved') return false
    if (fixed) {
      this.close('verified', now)
      return true
    }
    const since = this.resolvedAt!
    if (now - since <= 72 * hours) {
      let last = now - 1
      while (last >= 0 && this.impact[last] === 0) last--
      if (last + 1 >= since && last >= 0) this.impact.fill(this.impact[last]!, last + 1, now)
      this.#unresolved.fill(1, since, now)
    }
    this.#reopen('in_progress')
    return true
  }

  #reopen(status: Status): void {
    this.status = status
    if (status !== 'open') this.answered = true
    this.resolvedAt = null
    this.downUntil = null
  }

  /** A place counts from now on; in a flat nothing is out of service any more. */
  moveTo(place: 1 | 2 | 3): void {
    this.place = place
    if (place !== inFlat) return
    this.isDowntime = false
    this.downSince = null
    this.downUntil = null
  }

  /** Corrects the downtime of the whole incident. */
  correctDowntime(isDowntime: boolean, since: number | null, until: number | null, now: number): void {
    this.isDowntime = isDowntime
    this.downSince = isDowntime ? since : null
    this.downUntil = isDowntime ? until : null
    const [start, end] = [this.downSince ?? this.created, this.downUntil ?? Infinity]
    const first = this.#firstAsset()
    for (let second = 0; second < now; second++) {
      const before = second < this.created
      const after = this.resolvedAt !== null && second >= this.resolvedAt && this.downUntil !== null
      const within = isDowntime && second >= start && second < end
      const lasts = before || after || this.#unresolved[second] === 1
      const place = second < first.since ? first.place : (this.#places[second] as Place)
      if (within && lasts) this.#setDown(second, place)
      else if (this.#isDownAt(second)) this.impact[second] = this.#bySeverity(second)
    }
  }

  #setDown(second: number, place: Place): void {
    if (place === 1 || place === 2) this.impact[second] = down(place)
    else if (this.#isDownAt(second)) this.impact[second] = 0
  }

  /** The severity of every past second is the present one. */
  correctSeverity(severity: Severity, now: number): void {
    this.severity = severity
    this.#severities.fill(severities.indexOf(severity), 0, now)
    for (let second = 0; second < now; second++)
      if (!this.#isDownAt(second)) this.impact[second] = this.#bySeverity(second)
  }

  #isDownAt(second: number): boolean {
    const byte = this.impact[second]!
    return byte > 0 && byte % 2 === 0
  }

  #bySeverity(second: number): number {
    if (second < this.created || this.#unresolved[second] !== 1 || this.#severities[second] === 0) return 0
    return mark(this.#places[second] as Place, false)
  }

  /**
   * The incident's first asset, and since when: downtime counts for it also while
   * the incident had none yet.
   */
  #firstAsset(): { since: number; place: Place } {
    for (let second = this.created; second < this.impact.length; second++) {
      const place = this.#places[second] as Place
      if (place === 1 || place === 2) return { since: second, place }
    }
    return { since: Infinity, place: this.place }
  }
}
