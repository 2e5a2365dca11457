import { DAY, dateIn, wallClock } from '../vocabulary/time/calendar.js'
import type { Recurrence, WindowException } from '../vocabulary/time/recurrence.js'
import { type AssetCode, demoProperty, localTime } from './directory.js'

type PlannedWork = {
  asset: AssetCode
  title: string
  startsAt: Date
  endsAt: Date
  recurrence: Recurrence
  notes: string
  exceptions?: WindowException[]
}

/**
 * Windows at `now` (epoch ms): one in progress, one weekly, one monthly, one next week. The
 * repeating two colour no asset: the monthly one is days away, the weekly one's open fault takes
 * precedence (decision 3.1).
 */
export function plannedWork(now: number): PlannedWork[] {
  return [newMachines(now), boilerCheck(now), liftService(now), gateCheck(now)]
}

/** From yesterday to tomorrow evening, so in progress at any time of day. */
function newMachines(now: number): PlannedWork {
  return {
    asset: 'S-W1',
    title: 'New washing machines and dryers',
    startsAt: new Date(localTime(now, -1, '08:00')),
    endsAt: new Date(localTime(now, 1, '18:00')),
    recurrence: 'none',
    notes:
      'The room is closed while two machines and two dryers are exchanged. Laundry left inside is in the office.',
  }
}

/** Every Tuesday for 14 weeks and on; one to come is skipped, and one moved to Wednesday. */
function boilerCheck(now: number): PlannedWork {
  const { year, month, day } = wallClock(demoProperty.timezone, now)
  const sinceTuesday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 5) % 7
  return {
    asset: 'S-B1',
    title: 'Weekly boiler check',
    ...at(now, -sinceTuesday - 14 * 7, '06:00', '07:00'),
    recurrence: 'weekly',
    notes: 'Hot water may be cooler for half an hour.',
    exceptions: [
      { date: dateOf(now, 14 - sinceTuesday), startsAt: null, endsAt: null },
      {
        date: dateOf(now, 21 - sinceTuesday),
        ...inMilliseconds(at(now, 22 - sinceTuesday, '07:00', '08:00')),
      },
    ],
  }
}

const dateOf = (now: number, days: number) => dateIn(demoProperty.timezone, localTime(now, days, '12:00'))
const inMilliseconds = ({ startsAt, endsAt }: Record<'startsAt' | 'endsAt', Date>) => ({
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
})

/** Monthly, next in nine days; the 29th and later, missing in some months, become the 28th. */
function liftService(now: number): PlannedWork {
  const next = new Date(localTime(now, 9, '12:00'))
  const first = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - 4, Math.min(next.getUTCDate(), 28))
  const { year, month, day } = wallClock(demoProperty.timezone, now)
  return {
    asset: 'S-L1',
    title: 'Monthly lift service',
    ...at(now, (first - Date.UTC(year, month - 1, day)) / DAY, '10:00', '12:00'),
    recurrence: 'monthly',
    notes: 'Please tell the concierge the day before if you cannot take the stairs at that time.',
  }
}

function gateCheck(now: number): PlannedWork {
  return {
    asset: 'S-G1',
    title: 'Safety check of the gate',
    ...at(now, 7, '09:00', '12:00'),
    recurrence: 'none',
    notes: 'The gate stays open and is watched. Cars can come and go.',
  }
}

const at = (now: number, days: number, from: string, to: string) => ({
  startsAt: new Date(localTime(now, days, from)),
  endsAt: new Date(localTime(now, days, to)),
})
