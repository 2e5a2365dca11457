import type { Role } from '../vocabulary/people/permissions.js'

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
