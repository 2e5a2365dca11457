import { acknowledged, invoiced, onDay, resolved, type Story, said, started, verified } from '../story.js'

const plumbers = 'Thames & Daughters'

/** The first pump fails, hums, and fails again. */
const pumps: Story[] = [
  {
    key: 'pressure-gone',
    opened: onDay(55, '06:20'),
    by: 'oksana',
    asset: 'N-P1',
    severity: 'critical',
    title: 'No water pressure above the 8th floor',
    description: 'Shower is a trickle since six, kitchen tap gives nothing at all.',
    turns: [
      said('mobile', 0.2, 'Same on 12.'),
      acknowledged(
        0.2,
        'On my way down to the pumps. Flats up to 4 are not affected, you are welcome to fill bottles at the office.',
      ),
      started(0.9, 'Pump 1 has tripped and pump 2 did not take over. Plumber is coming.'),
      resolved(4.4, 'Both pumps run. The switch that starts the second one was stuck and has been replaced.'),
      verified('oksana', 1.5, 'Full pressure. And thank you for the coffee in the office!'),
      invoiced(121, 52000, plumbers, 'TD-3391', 'Morning call-out, change-over switch'),
    ],
  },
  {
    key: 'pump-hum',
    opened: onDay(40, '23:10'),
    by: 'ruth',
    asset: 'N-P1',
    severity: 'low',
    title: 'Humming from the basement at night',
    description: 'Since the pumps were repaired. Like a fridge, but bigger.',
    turns: [
      acknowledged(9.2, 'Thanks Ruth, you are right above it. I will listen tonight.'),
      said(
        'tomasz',
        15,
        'Heard it. Pump 1 runs rough. The plumber puts rubber mounts under it and checks the bearing.',
      ),
      resolved(36, 'Mounts are in, the bearing is worn but holds. We keep an eye on it.'),
      verified('ruth', 22, 'Slept through.'),
    ],
  },
  {
    key: 'pressure-gone-again',
    opened: onDay(4, '05:50'),
    by: 'mobile',
    asset: 'N-P1',
    severity: 'critical',
    title: 'Water pressure gone again on the upper floors',
    description: 'Nothing on 11. Was this not repaired two months ago?',
    turns: [
      acknowledged(0.4, 'Yes, and it is pump 1 again. I am sorry. Plumber is called.'),
      said('maya', 0.5, 'A little water on 12, enough for tea.'),
      started(
        1.1,
        'The bearing of pump 1 has failed. The new switch did try to start pump 2, but a fuse went. Fuse comes first, so you have water soon.',
        ['pumpRoom'],
      ),
      resolved(
        2.9,
        'Pump 2 runs and carries both towers, a bit weaker on 11 and 12 in the morning. New bearing for pump 1 is ordered. Please tell me here if your water is not ok.',
      ),
      said(
        'eleanor',
        9,
        'Thanks for the quick work. The board would like a service contract for the pumps on the next agenda.',
      ),
    ],
  },
]

const boilers: Story[] = [
  {
    key: 'no-hot-water',
    opened: onDay(96, '06:45'),
    by: 'siobhan',
    asset: 'S-B1',
    severity: 'critical',
    title: 'No hot water in the South Tower',
    description:
      'Cold since this morning on 3, neighbour on 5 says the same. I have a baby to wash, please hurry.',
    turns: [
      acknowledged(
        0.5,
        'Both boilers are out. Heating engineer will be here at half past eight. The office has an electric kettle and a lot of sympathy.',
      ),
      started(1.4, 'Engineer on site.'),
      resolved(
        3.1,
        'Gas valve reset after the supplier worked in the street. Water will be warm in half an hour.',
      ),
      verified('siobhan', 2, 'Baby is clean and happy.'),
      invoiced(117, 44000, plumbers, 'TD-3310', 'Call-out, gas valve, restart of both boilers'),
    ],
  },
  {
    key: 'cold-after-two-minutes',
    opened: onDay(35, '07:10'),
    by: 'mei',
    asset: 'S-B1',
    severity: 'medium',
    title: 'Hot water goes cold after two minutes',
    description: 'Then warm again, then cold. Every morning between 7 and 8.',
    turns: [
      acknowledged(1.2, 'Thank you, the exact time helps. We will log the temperature tomorrow morning.'),
      started(25, 'The log shows it: the mixing valve swings. New valve comes tomorrow.'),
      resolved(27, 'Valve replaced. Flat line at 52 degrees all morning.'),
      verified('mei', 21, 'A whole shower. Thank you.'),
    ],
  },
  {
    key: 'basement-drip',
    opened: onDay(20, '14:02'),
    by: 'mobile',
    asset: 'S-B1',
    severity: 'medium',
    title: 'Heating pipe in the South basement drips',
    description: 'Next to the bike racks. Puddle is getting bigger.',
    photos: ['pipeLeak'],
    turns: [
      acknowledged(1.3, 'Seen it, bucket is under it. Please park bikes on the other side.'),
      resolved(21, 'Joint resealed, floor dried.'),
      verified('luca', 30, 'Dry. My saddle says thanks.'),
    ],
  },
  {
    key: 'lukewarm',
    opened: onDay(1, '06:52'),
    by: 'anil',
    asset: 'S-B1',
    severity: 'high',
    title: 'Hot water only lukewarm',
    description: 'On 10 in South since last night. You can wash hands but not more.',
    turns: [
      acknowledged(1.1, 'Thank you Anil, checking.'),
      said('oksana', 0.9, 'North too, 11th floor. Warm at best.'),
      started(
        1.6,
        'Boiler 2 has locked out, its pressure is too low. Boiler 1 carries both towers alone, so it is warm but not hot. Engineer is booked.',
        ['boilerGauge'],
      ),
      said(
        'tomasz',
        6.5,
        'The expansion vessel has a leak and has to be replaced. The new one is on order. Mornings stay lukewarm until it is in, evenings are better.',
      ),
    ],
  },
]

export const waterAndHeatStories: readonly Story[] = [...pumps, ...boilers]
