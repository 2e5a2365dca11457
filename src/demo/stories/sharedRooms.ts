import { acknowledged, onDay, resolved, type Story, said, started, verified } from '../story.js'

const stairs: Story[] = [
  {
    key: 'stairs-dark',
    opened: onDay(77, '20:20'),
    by: 'ruth',
    asset: 'N-E1',
    severity: 'high',
    title: 'Two lamps out on the stairs between 2 and 3',
    description: 'Pitch dark on the turn. I went down with my phone in one hand and the rail in the other.',
    turns: [
      acknowledged(0.3, 'Thank you Ruth. Concierge changes both now.'),
      resolved(0.9, 'Both lamps changed.'),
      verified('ruth', 11, 'Bright as day.'),
    ],
  },
  {
    key: 'stairs-sensor',
    opened: onDay(46, '22:05'),
    by: 'mobile',
    asset: 'N-E1',
    severity: 'low',
    title: 'Stair light on 10 never switches off',
    description: 'On all night. Waste of electricity.',
    turns: [
      acknowledged(10, 'Agreed. Electrician comes next week anyway and will change the sensor.'),
      resolved(124, 'Sensor changed.'),
      verified('yusuf', 26, 'Off at night now.'),
    ],
  },
  {
    key: 'stairs-flicker',
    opened: onDay(2, '21:10'),
    by: 'george',
    asset: 'N-E1',
    severity: 'low',
    title: 'Lamp on the 6th floor landing flickers',
    description: 'One half of the tube is already dark. Gives me a headache.',
    photos: ['flickeringLamp'],
    turns: [acknowledged(11.5, 'Thank you George. Tubes are ordered, it is changed by the end of the week.')],
  },
]

const binStore: Story[] = [
  {
    key: 'bins-rats',
    opened: onDay(71, '07:05'),
    by: 'oksana',
    anonymous: true,
    asset: 'N-R1',
    severity: 'medium',
    title: 'Rats in the bin store',
    description: 'Two of them, not shy at all. The door to the yard is propped open every night.',
    turns: [
      acknowledged(1, 'Thank you for telling us. Pest control is booked, and the door gets a closer.'),
      started(
        27,
        'Pest control has been, two more visits follow. Please keep lids shut and put nothing beside the bins.',
      ),
      resolved(150, 'Third visit done, no traces for five days. The door now closes by itself.'),
      verified('oksana', 40, 'Have not seen any since. Thank you for being so quick.'),
    ],
  },
  {
    key: 'bins-lock',
    opened: onDay(50, '19:15'),
    by: 'luca',
    asset: 'N-R1',
    severity: 'low',
    title: 'Bin store lock jams',
    description: 'Key goes in and does not come out without a fight.',
    turns: [
      acknowledged(13, 'Thanks Luca, a drop of oil is on its way.'),
      resolved(6, 'Oiled, and the two worst keys recut. Bring me yours if it still sticks.'),
      verified('luca', 28, 'Turns with two fingers.'),
    ],
  },
  {
    key: 'bins-smell',
    opened: onDay(18, '16:40'),
    by: 'mobile',
    asset: 'N-R1',
    severity: 'low',
    title: 'Food waste bin smells terrible',
    description: 'Think it was not emptied last time.',
    turns: [
      acknowledged(1.5, 'Correct, the lorry missed it. Extra collection is arranged.'),
      resolved(24, 'Emptied and hosed down.'),
      verified('mei', 48, 'Better, thanks.'),
    ],
  },
  {
    key: 'bins-overflow',
    opened: onDay(1, '15:36'),
    by: 'mei',
    asset: 'N-R1',
    severity: 'low',
    title: 'Bins overflowing, bags on the floor',
    description:
      'All three are full and people have started to put bags next to them. Somebody must have moved out, lots of boxes.',
    photos: ['binsOverflowing'],
  },
]

const carPark: Story[] = [
  {
    key: 'fans-alarm',
    opened: onDay(64, '17:05'),
    by: 'luca',
    asset: 'S-V1',
    severity: 'high',
    title: 'Ventilation alarm beeping in the car park',
    description: 'Red light next to space 9. Air seems ok but I did not stay to find out.',
    turns: [
      acknowledged(0.3, 'Right decision. Gate is open to let air in, please do not leave engines running.'),
      resolved(3.1, 'One exhaust sensor had died, the fans were running all the time. Replaced.'),
      verified('luca', 12, 'Green light.'),
    ],
  },
  {
    key: 'fans-loud',
    opened: onDay(24, '09:30'),
    by: 'anil',
    asset: 'S-V1',
    severity: 'low',
    title: 'Fan very loud near space 14',
    description: 'Rattles like an old bus.',
    turns: [
      acknowledged(3, 'A loose cover, I think. Will be tightened with the next check.'),
      resolved(72, 'Two screws and it is quiet.'),
      verified('anil', 30, 'Bus has left.'),
    ],
  },
]

const laundry: Story[] = [
  {
    key: 'washer-leak',
    opened: onDay(31, '11:40'),
    by: 'siobhan',
    asset: 'S-W1',
    severity: 'medium',
    title: 'Machine 3 leaks and will not give my laundry back',
    description: 'Stopped with the drum full. There is water on the floor, I put a note on it.',
    photos: ['washerLeaking'],
    turns: [
      acknowledged(0.7, 'Coming with a mop and the emergency key.'),
      said('tomasz', 0.5, 'Laundry is out and waits for you in the office. The door seal is torn.'),
      resolved(28, 'New seal, machine 3 is back in use.'),
      verified('siobhan', 24, 'One load done, floor dry.'),
    ],
  },
  {
    key: 'laundry-card',
    opened: onDay(13, '20:15'),
    by: 'mobile',
    asset: 'S-W1',
    severity: 'medium',
    title: 'Laundry card reader takes the money twice',
    description: '£2.80 twice for one wash. Receipt says so too.',
    turns: [
      acknowledged(
        12,
        'Sorry about that. I have told the company and switched the reader to cash desk mode.',
      ),
      started(3, 'They are updating it.'),
      said('oksana', 6, 'It charged me twice as well, last week.'),
      resolved(40, 'Updated. Everybody who paid twice since the 1st gets it back by itself, no form needed.'),
      verified('oksana', 24, 'Got my money back.'),
    ],
  },
  {
    key: 'dryer-cold',
    opened: onDay(4, '10:20'),
    by: 'oksana',
    asset: 'S-W1',
    severity: 'low',
    title: 'Dryer 2 runs but stays cold',
    description: 'An hour for nothing. 1, 3 and 4 are fine.',
    turns: [
      acknowledged(
        5,
        'Thank you. It is one of the two dryers that are being replaced this week, the room will be closed for three days.',
      ),
      said(
        'tomasz',
        65.5,
        'The new machines are here and go in today and tomorrow. Sorry for the closed door.',
      ),
    ],
  },
]

export const sharedRoomStories: readonly Story[] = [...stairs, ...binStore, ...carPark, ...laundry]
