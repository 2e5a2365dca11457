import type { Status, StatusReason } from '../vocabulary/lifecycle.js'
import type { Role } from '../vocabulary/people/permissions.js'
import { instantOf, wallClock } from '../vocabulary/time/calendar.js'
import { allDay } from '../vocabulary/time/openingHours.js'

type Person = { name: string; email: string; role: Role; unit: UnitKey | null }

/** A unit in the demo's texts: the tower's initial, a hyphen, the number. */
export type UnitKey = `${'N' | 'S'}-${number}`

/** The demo's residents and staff; the first four can sign in (decision 5.4). */
export const demoPeople = {
  maya: { name: 'Maya Okafor', email: 'resident@example.com', role: 'resident', unit: 'N-1204' },
  eleanor: { name: 'Eleanor Whitcombe', email: 'board@example.com', role: 'board', unit: 'S-903' },
  tomasz: { name: 'Tomasz Zieliński', email: 'manager@example.com', role: 'manager', unit: null },
  priya: { name: 'Priya Raman', email: 'admin@example.com', role: 'admin', unit: null },
  george: { name: 'George Adeyemi', email: 'george.adeyemi@example.com', role: 'resident', unit: 'N-702' },
  siobhan: { name: 'Siobhán Kelly', email: 'siobhan.kelly@example.com', role: 'resident', unit: 'S-303' },
  yusuf: { name: 'Yusuf Rahman', email: 'yusuf.rahman@example.com', role: 'resident', unit: 'N-904' },
  mei: { name: 'Mei Tanaka', email: 'mei.tanaka@example.com', role: 'resident', unit: 'S-801' },
  luca: { name: 'Luca Moretti', email: 'luca.moretti@example.com', role: 'resident', unit: 'S-403' },
  ruth: { name: 'Ruth Abrams', email: 'ruth.abrams@example.com', role: 'resident', unit: 'N-202' },
  anil: { name: 'Anil Mistry', email: 'anil.mistry@example.com', role: 'resident', unit: 'S-1003' },
  oksana: {
    name: 'Oksana Hrytsenko',
    email: 'oksana.hrytsenko@example.com',
    role: 'resident',
    unit: 'N-1104',
  },
} as const satisfies Record<string, Person>

export type PersonKey = keyof typeof demoPeople

/** The demo's building, on a fictional London street. */
export const demoProperty = {
  name: 'Larkspur Court',
  address: '21 Tidewell Street, London',
  timezone: 'Europe/London',
  currency: 'GBP',
  locale: 'en',
  officePhone: '020 7946 0120',
  emergencyNumber: '999',
}

/** The instant (epoch ms) of a clock time such as `07:42`, `days` local days from that of `now`. */
export function localTime(now: number, days: number, clock: string): number {
  const { year, month, day } = wallClock(demoProperty.timezone, now)
  const [hour, minute] = clock.split(':').map(Number) as [number, number]
  return instantOf(demoProperty.timezone, { year, month, day: day + days, hour, minute })
}

export const demoTowers = { N: 'North Tower', S: 'South Tower' } as const
export type TowerKey = keyof typeof demoTowers

/** Assets by code, in display order; the code's first letter is the tower's. */
export const demoAssets = {
  'N-L1': {
    name: 'North left lift',
    category: 'Lift',
    description:
      'The older of the two passenger lifts, eight people, ground to 12th floor. Its door operator dates from 2009 and is due for replacement.',
  },
  'N-L2': {
    name: 'North right lift',
    category: 'Lift',
    description:
      'Passenger lift for ten people and the one to book for moving house. Ground to 12th floor, with step-free access to the car park.',
  },
  'N-D1': {
    name: 'North main entrance',
    category: 'Door entry',
    description:
      'Street door with fob reader and a panel that rings every flat in the tower. It unlocks by itself when the fire alarm sounds.',
  },
  'N-P1': {
    name: 'Water pumps',
    category: 'Water pump',
    description:
      'Two pumps in the North basement that lift cold water above the fourth floor of both towers. Either one can carry the building alone, at lower pressure.',
  },
  'N-E1': {
    name: 'North stair lighting',
    category: 'Lighting',
    description:
      'Lamps on the main staircase and landings, on sensors, with battery back-up. A failed lamp is changed within a week; two next to each other the same day.',
  },
  'N-R1': {
    name: 'Bin store',
    category: 'Bin store',
    description:
      'Refuse and recycling for both towers, behind the North Tower. Collections are on Tuesday (recycling) and Friday (refuse).',
  },
  'S-L1': {
    name: 'South lift',
    category: 'Lift',
    description:
      'The only lift of the South Tower, eight people, ground to 10th floor. When it is out, the office keeps a list of residents who need help with the stairs.',
  },
  'S-D1': {
    name: 'South main entrance',
    category: 'Door entry',
    description:
      'Street door with fob reader, panel and an automatic opener for wheelchairs. Deliveries ring the concierge from here.',
  },
  'S-B1': {
    name: 'Boiler plant',
    category: 'Boiler',
    description:
      'Two gas boilers in the South basement that make heating and hot water for both towers. Heating runs from October to April, hot water all year.',
  },
  'S-V1': {
    name: 'Car park ventilation',
    category: 'Ventilation',
    description:
      'Fans and exhaust sensors of the underground car park. They run faster by themselves when the air gets worse.',
  },
  'S-G1': {
    name: 'Car park gate',
    category: 'Car park gate',
    description:
      'Roller gate to the underground car park, opened by fob or from the concierge desk. It stays open when it has no power.',
  },
  'S-W1': {
    name: 'Laundry room',
    category: 'Laundry',
    description:
      'Six washing machines and four dryers on the ground floor, open from 7:00 to 22:00. Payment is by card at the door.',
  },
} as const

export type AssetCode = keyof typeof demoAssets

/** The tower of an asset or unit. */
export const towerOf = (key: AssetCode | UnitKey) => key[0] as TowerKey

/** Even numbers are in the North Tower, whose lower flats take a whole side, odd in the South. */
export const demoUnits: readonly UnitKey[] = [
  ...floors(1, 4).map((floor) => unitKey('N', floor, 2)),
  ...floors(5, 12).flatMap((floor) => [unitKey('N', floor, 2), unitKey('N', floor, 4)]),
  ...floors(1, 10).flatMap((floor) => [unitKey('S', floor, 1), unitKey('S', floor, 3)]),
]

function floors(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

function unitKey(tower: TowerKey, floor: number, door: number): UnitKey {
  return `${tower}-${floor * 100 + door}`
}

/** A unit's number and floor: `N-1204` is 1204 on the 12th. */
export function unitOf(key: UnitKey): { number: string; floor: number } {
  const number = Number(key.slice(2))
  return { number: `${number}`, floor: Math.floor(number / 100) }
}

const notKnown = { hoursWeekdays: '', hoursSaturday: '', hoursSunday: '' }
const atAllHours = { hoursWeekdays: allDay, hoursSaturday: allDay, hoursSunday: allDay }
const onWeekdays = (hoursWeekdays: string) => ({ hoursWeekdays, hoursSaturday: '', hoursSunday: '' })
const everyDay = (hours: string) => ({ hoursWeekdays: hours, hoursSaturday: hours, hoursSunday: hours })

/** The demo's directory, in display order. The numbers are reserved for fiction. */
export const demoContacts = [
  {
    name: 'Emergency line',
    label: 'For anything that can’t wait',
    phone: '020 7946 0111',
    email: '',
    ...atAllHours,
    notes: 'Someone is stuck in a lift, water is coming through, or the entrance doesn’t lock.',
    isEmergency: true,
    isPublic: true,
  },
  {
    name: 'Building office',
    label: 'Tomasz Zieliński, building manager',
    phone: '020 7946 0120',
    email: 'office@example.com',
    ...onWeekdays('08:00-17:00'),
    notes: 'Ground floor of the South Tower. Keys, fobs, access for contractors.',
    isEmergency: false,
    isPublic: true,
  },
  {
    name: 'Concierge desk',
    label: 'Parcels, visitors, car park gate',
    phone: '07700 900142',
    email: 'concierge@example.com',
    ...everyDay('07:00-22:00'),
    notes: 'They can open the car park gate from the desk.',
    isEmergency: false,
    isPublic: false,
  },
  {
    name: 'Lift engineer',
    label: 'Ascent Lift Services',
    phone: '0808 157 0133',
    email: 'callout@ascent.example.com',
    ...atAllHours,
    notes:
      'Stuck inside? Hold the yellow bell for five seconds: it calls them directly. Please give the lift code on the sign, such as N-L1.',
    isEmergency: false,
    isPublic: true,
  },
  {
    name: 'Gas emergency',
    label: 'If you smell gas',
    phone: '0808 157 0199',
    email: '',
    ...atAllHours,
    notes:
      'Open the windows. Don’t use switches or flames. Leave the flat, then call. Tell the office afterwards.',
    isEmergency: false,
    isPublic: true,
  },
  {
    name: 'Plumber',
    label: 'Thames & Daughters, heating and water',
    phone: '020 7946 0158',
    email: 'jobs@thamesanddaughters.example.com',
    ...notKnown,
    notes:
      'For pipes we share. Inside your flat you can call anyone; the stopcock is under the kitchen sink, turn it clockwise.',
    isEmergency: false,
    isPublic: false,
  },
  {
    name: 'Managing agent',
    label: 'Harcourt Vale, service charge and insurance',
    phone: '020 7946 0175',
    email: 'larkspur@harcourtvale.example.com',
    ...onWeekdays('09:00-17:30'),
    notes: 'For insurance claims, give them the report number.',
    isEmergency: false,
    isPublic: false,
  },
  {
    name: 'Residents’ association',
    label: 'Eleanor Whitcombe, chair of the board',
    phone: '07700 900177',
    email: 'board@example.com',
    ...notKnown,
    notes:
      'Meets on the first Wednesday of the month at 19:00 in the laundry corridor room. Everyone is welcome.',
    isEmergency: false,
    isPublic: false,
  },
] as const

/** The contact that maintains each asset; the others have none. */
export const contactOfAsset: Partial<Record<AssetCode, (typeof demoContacts)[number]['name']>> = {
  'N-L1': 'Lift engineer',
  'N-L2': 'Lift engineer',
  'S-L1': 'Lift engineer',
  'N-P1': 'Plumber',
  'S-B1': 'Plumber',
  'S-G1': 'Concierge desk',
}

/** What the demo's office writes often. */
export const demoTemplates: {
  name: string
  wordsEn: string
  wordsEs: string
  status: Status
  statusReason: StatusReason | null
}[] = [
  {
    name: 'Engineer called',
    wordsEn: 'Thank you for telling us. An engineer is on the way. We’ll post here as soon as we know more.',
    wordsEs:
      'Gracias por avisarnos. El servicio técnico está en camino y escribiremos aquí en cuanto sepamos más.',
    status: 'in_progress',
    statusReason: 'engineer_coming',
  },
  {
    name: 'Part ordered',
    wordsEn: 'We’ve ordered the part it needs. It’s out of use until the part is fitted.',
    wordsEs: 'Hace falta una pieza y ya está pedida. No se puede usar hasta que esté montada.',
    status: 'in_progress',
    statusReason: 'waiting_for_parts',
  },
  {
    name: 'Repaired',
    wordsEn: 'It’s been repaired. Please tell us here whether it works for you.',
    wordsEs: 'Está reparado. Por favor, díganos aquí si le funciona.',
    status: 'resolved',
    statusReason: null,
  },
]
