import type { AssetCode } from './places.js'

/** The demo's directory, in display order. The numbers are reserved for fiction. */
export const contacts = [
  {
    name: 'Emergency line',
    label: 'Nights, weekends and bank holidays',
    phone: '020 7946 0111',
    email: '',
    notes:
      'For danger or damage that cannot wait: water coming through, somebody stuck in a lift, the entrance will not lock. Fire or injury: call 999 first.',
    isEmergency: true,
  },
  {
    name: 'Building office',
    label: 'Tomasz Zieliński, building manager',
    phone: '020 7946 0120',
    email: 'office@example.com',
    notes:
      'Monday to Friday, 8:00 to 17:00, ground floor of the South Tower. Keys, fobs, access for contractors.',
    isEmergency: false,
  },
  {
    name: 'Concierge desk',
    label: 'Parcels, visitors, car park gate',
    phone: '07700 900142',
    email: 'concierge@example.com',
    notes: 'Every day from 7:00 to 22:00. They can open the car park gate from the desk.',
    isEmergency: false,
  },
  {
    name: 'Lift engineer',
    label: 'Ascent Lift Services, 24 hours',
    phone: '0808 157 0133',
    email: 'callout@ascent.example.com',
    notes:
      'Stuck inside? Press the yellow bell for five seconds, it reaches them directly. Please give the lift code on the sign, such as N-L1.',
    isEmergency: false,
  },
  {
    name: 'Gas emergency',
    label: 'If you smell gas',
    phone: '0808 157 0199',
    email: '',
    notes:
      'Open the windows, no switches and no flames, leave the flat, then call. Tell the office afterwards.',
    isEmergency: false,
  },
  {
    name: 'Plumber',
    label: 'Thames & Daughters, heating and water',
    phone: '020 7946 0158',
    email: 'jobs@thamesanddaughters.example.com',
    notes:
      'For pipes we share. Inside your flat you may call anybody; the stopcock is under the kitchen sink, turn it clockwise.',
    isEmergency: false,
  },
  {
    name: 'Managing agent',
    label: 'Harcourt Vale, service charge and insurance',
    phone: '020 7946 0175',
    email: 'larkspur@harcourtvale.example.com',
    notes: 'Monday to Friday, 9:00 to 17:30. For insurance claims they need the number of the report here.',
    isEmergency: false,
  },
  {
    name: 'Residents’ association',
    label: 'Eleanor Whitcombe, chair of the board',
    phone: '07700 900177',
    email: 'board@example.com',
    notes:
      'Meets on the first Wednesday of the month at 19:00 in the laundry corridor room. Everybody is welcome.',
    isEmergency: false,
  },
] as const

/** Who looks after what; the rest is nobody's in particular. */
export const keepers: Partial<Record<AssetCode, (typeof contacts)[number]['name']>> = {
  'N-L1': 'Lift engineer',
  'N-L2': 'Lift engineer',
  'S-L1': 'Lift engineer',
  'N-P1': 'Plumber',
  'S-B1': 'Plumber',
  'S-G1': 'Concierge desk',
}
