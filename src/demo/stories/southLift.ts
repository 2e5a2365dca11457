import { acknowledged, invoiced, onDay, resolved, type Story, said, started, verified } from '../story.js'

export const southLiftStories: readonly Story[] = [
  {
    key: 'south-lift-stopped',
    opened: onDay(83, '16:10'),
    by: 'anil',
    asset: 'S-L1',
    severity: 'critical',
    title: 'Stuck in the South lift for 20 minutes',
    description:
      'Stopped between 4 and 5, then went down by itself. The bell worked and the lady on the line was very kind, but my daughter will not get in any more.',
    turns: [
      acknowledged(
        0.2,
        'I am very sorry, Anil. Lift is off, engineer is coming. I will ring you in a minute.',
      ),
      started(1.2, 'Engineer on site. Residents who cannot take the stairs, please call the concierge.'),
      resolved(
        3.4,
        'A door contact on 5 was loose and stopped the car. Replaced, and all other contacts checked. Test runs for an hour.',
      ),
      said(
        'anil',
        14,
        'Thank you for showing my daughter the machine room. She is the lift expert of her class now.',
      ),
      verified('anil', 8, 'Used it four times today, all fine.'),
      invoiced(140, 39500, 'Ascent Lift Services', 'ALS-20502', 'Emergency call-out, door contact replaced'),
    ],
  },
  {
    key: 'south-lift-squeal',
    opened: onDay(66, '08:55'),
    by: 'mei',
    asset: 'S-L1',
    severity: 'low',
    title: 'South lift squeals when it passes 6',
    description: 'Both ways, every time. We hear it in the bedroom.',
    turns: [
      acknowledged(2, 'Thanks Mei, that sounds like the guide rails. Service is this week.'),
      resolved(54, 'Rails cleaned and greased.'),
      verified('mei', 26, 'Quiet again. Lovely.'),
    ],
  },
  {
    key: 'south-lift-overload',
    opened: onDay(38, '12:25'),
    by: 'siobhan',
    asset: 'S-L1',
    severity: 'medium',
    title: 'South lift says overloaded with two people in it',
    description: 'Two of us and one bag of shopping, it beeps and will not move. We are not that heavy :)',
    turns: [
      acknowledged(0.5, 'I am sure you are not! Engineer comes this afternoon.'),
      resolved(4.5, 'Load sensor reset. Tested with the concierge, me and 6 crates of water: no beep.'),
      verified('siobhan', 3, 'All good, thanks Tomasz.'),
    ],
  },
  {
    key: 'south-lift-step',
    opened: onDay(2, '16:24'),
    by: 'luca',
    asset: 'S-L1',
    severity: 'high',
    title: 'South lift stops 10 cm too low on 4',
    description: 'Nearly fell with the pram. Only on the 4th floor, and only on the way up.',
    turns: [
      acknowledged(
        0.3,
        'Thank you Luca, hope you two are ok. The lift does not stop on 4 until the engineer has been, first thing tomorrow.',
      ),
      started(16.2, 'Engineer on site.'),
      resolved(
        3.1,
        'A floor magnet had slipped. Fixed, and it stops on 4 again. Could someone from the 4th floor confirm?',
      ),
    ],
  },
]
