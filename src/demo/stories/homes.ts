import { acknowledged, hoursAgo, onDay, resolved, type Story, said, started, verified } from '../story.js'

/** Inside flats. The two unanswered ones are past their target, so the next sweep raises them. */
export const homeStories: readonly Story[] = [
  {
    key: 'handset-buzz',
    opened: onDay(68, '17:25'),
    by: 'maya',
    unit: 'N-1204',
    severity: 'low',
    title: 'Door phone buzzes, cannot hear visitors',
    description: 'They hear me, I hear a bee.',
    turns: [
      acknowledged(15, 'Thank you Maya. Is tomorrow between 9 and 11 good for you?'),
      said('maya', 2, 'Yes, I am at home.'),
      resolved(24, 'Handset replaced.'),
      verified('maya', 8, 'Works, no bee.'),
    ],
  },
  {
    key: 'balcony-drain',
    opened: onDay(42, '18:40'),
    by: 'mei',
    unit: 'S-801',
    severity: 'medium',
    title: 'Balcony drain blocked, water stands at the door',
    description: 'After an hour of rain it was 4 cm. I have towels down.',
    turns: [
      acknowledged(
        0.6,
        'Thank you Mei. Somebody comes tomorrow first thing, call the emergency line if it rises tonight.',
      ),
      resolved(14.5, 'Leaves and a tennis ball. Drain is free, and it has a strainer now.'),
      verified('mei', 28, 'Rained all night and nothing. The ball belongs to 901.'),
    ],
  },
  {
    key: 'cistern-runs',
    opened: onDay(29, '19:30'),
    by: 'anil',
    unit: 'S-1003',
    severity: 'low',
    title: 'Toilet cistern never stops filling',
    description: 'You hear it in the whole flat.',
    turns: [
      acknowledged(13, 'Plumber is in the building on the day after tomorrow, he will ring before.'),
      resolved(49, 'Float valve replaced.'),
      verified('anil', 4, 'Silence. Thanks.'),
    ],
  },
  {
    key: 'radiator-knocks',
    opened: onDay(17, '23:20'),
    by: 'siobhan',
    unit: 'S-303',
    severity: 'low',
    title: 'Pipe in the bedroom wall knocks at night',
    description: 'About every ten minutes, from eleven on. The baby has opinions about it.',
    turns: [
      acknowledged(
        9,
        'I can imagine. May the plumber come on one of the next two evenings, so he can hear it?',
      ),
      said('siobhan', 1, 'Any evening. He can bring ear plugs.'),
      resolved(37.8, 'A bracket was missing behind the panel. Fixed at 23:00, thank you for the tea.'),
      verified('siobhan', 45, 'Two quiet nights in a row.'),
    ],
  },
  {
    key: 'damp-patch',
    opened: onDay(5, '18:20'),
    by: 'ruth',
    unit: 'N-202',
    severity: 'medium',
    title: 'Damp patch on the bedroom wall is growing',
    description:
      'It was as big as a plate last week, now it is a tray. Outside wall, under the window. Smells a bit.',
  },
  {
    key: 'window-handle',
    opened: onDay(4, '10:31'),
    by: 'mobile',
    unit: 'S-503',
    severity: 'medium',
    title: 'Bedroom window handle came off',
    description: 'Window is shut but I cannot open it, and it is the only one in the room.',
  },
  {
    key: 'fuse-trips',
    opened: onDay(3, '20:44'),
    by: 'oksana',
    unit: 'N-1104',
    severity: 'medium',
    title: 'Fuse for the kitchen trips every evening',
    description: 'Always when the oven and the dishwasher run together. Did not happen before.',
    turns: [
      acknowledged(11.5, 'Thank you Oksana. Please use only one of the two until the electrician has been.'),
      started(
        6.5,
        'Electrician was here: a socket behind the dishwasher is damp. He comes back with the part.',
      ),
      said('oksana', 2, 'He was very nice and explained everything. Cooking cold until then :)'),
    ],
  },
  {
    key: 'ceiling-drips',
    opened: hoursAgo(1.6),
    by: 'luca',
    unit: 'S-403',
    severity: 'high',
    title: 'Water dripping through the kitchen ceiling',
    description:
      'Brown ring around the lamp, and it drips. Pan is under it, lamp is off. Nobody opens on 503.',
    photos: ['ceilingLeak'],
  },
]
