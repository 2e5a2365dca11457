import {
  acknowledged,
  hoursAgo,
  invoiced,
  onDay,
  resolved,
  type Story,
  said,
  started,
  verified,
} from '../story.js'

const doors: Story[] = [
  {
    key: 'north-door-unlocked',
    opened: onDay(79, '20:10'),
    by: 'ruth',
    asset: 'N-D1',
    severity: 'critical',
    title: 'North front door does not lock',
    description:
      'It falls shut but you can push it open without a fob. Two people I have never seen were in the hall just now.',
    turns: [
      acknowledged(
        0.3,
        'Thank you Ruth. Locksmith is on the way, and the concierge stays at the door until he is done.',
      ),
      resolved(
        2.6,
        'The strike plate had come loose. It locks again, tried twenty times with and without fob.',
      ),
      verified('ruth', 9, 'Shut and locked this morning. Please thank the concierge for staying so late.'),
    ],
  },
  {
    key: 'north-door-fob',
    opened: onDay(57, '18:05'),
    by: 'mobile',
    asset: 'N-D1',
    severity: 'medium',
    title: 'Fob works only every third try',
    description: 'North entrance. New fob, so its not the fob.',
    turns: [
      acknowledged(14, 'Thanks, others have told me as well. Reader is being looked at today.'),
      resolved(23, 'Reader replaced under warranty. Old fobs keep working.'),
      verified('yusuf', 5, 'First try, every time.'),
    ],
  },
  {
    key: 'north-door-closer',
    opened: onDay(44, '06:50'),
    by: 'george',
    asset: 'N-D1',
    severity: 'medium',
    title: 'Arm of the front door closer has come off',
    description:
      'The door slams so hard that the letter boxes shake. Please hold it when you go out, my flat is above.',
    photos: ['doorCloserBroken'],
    turns: [
      acknowledged(1.5, 'Thank you George. I have taken the arm down so that it cannot hit anybody.'),
      started(26, 'The old model is no longer made. A new closer comes tomorrow.'),
      resolved(23, 'New closer fitted. It can be set slower, tell me if it is too fast for anybody.', [
        'doorCloserFitted',
      ]),
      verified('george', 4, 'Closes like a bank vault. Well done.'),
      invoiced(90, 16400, 'Keystone Doors', 'KD-1243', 'Door closer, size 4, with fitting'),
    ],
  },
  {
    key: 'north-panel-dead',
    opened: onDay(15, '13:30'),
    by: 'mobile',
    asset: 'N-D1',
    severity: 'high',
    title: 'Door panel is dead, visitors cannot ring',
    description:
      'Screen is cracked, and someone has taped over a bell. My carer had to phone from the street.',
    photos: ['doorPanel'],
    turns: [
      acknowledged(
        1.6,
        'Thank you. Until it is repaired the concierge lets visitors in, please give them his number: 07700 900142.',
      ),
      started(19, 'It was hit with something hard. A new screen is ordered.'),
      said('yusuf', 8, 'The camera should have it, around 1 in the night. I heard the bang.'),
      resolved(40, 'New screen and two new buttons. Every flat has been rung once, sorry for that.'),
      verified('maya', 9, 'My sister rang and I saw her face. Works.'),
      invoiced(63, 132000, 'Keystone Doors', 'KD-1302', 'Panel display, two buttons, half a day'),
    ],
  },
  {
    key: 'north-door-slams',
    opened: hoursAgo(3.2),
    by: 'yusuf',
    anonymous: true,
    asset: 'N-D1',
    severity: 'low',
    title: 'Front door slams at night again',
    description:
      'Not as bad as before, but after midnight you hear it up to the 9th floor. Maybe one turn slower?',
  },
  {
    key: 'south-door-opener',
    opened: onDay(70, '10:15'),
    by: 'mei',
    asset: 'S-D1',
    severity: 'high',
    title: 'Automatic opener at the South entrance does nothing',
    description: 'I use a wheelchair and had to wait for somebody to come along. Twice today.',
    turns: [
      acknowledged(
        0.4,
        'That must not happen, Mei, I am sorry. Technician comes today. Ring the concierge any time, he opens for you.',
      ),
      started(3, 'Technician on site.'),
      resolved(
        3.5,
        'A cable in the hinge had broken. New cable, and it now stays open for 12 seconds instead of 8.',
      ),
      verified('mei', 17, 'Opens again, and the longer time is really good. Thank you.'),
    ],
  },
  {
    key: 'south-door-draught',
    opened: onDay(52, '07:35'),
    by: 'anil',
    asset: 'S-D1',
    severity: 'low',
    title: 'Gap under the South door, draught in the hall',
    description: 'You can see daylight. Leaves blow in too.',
    turns: [
      acknowledged(26, 'Right, the brush strip is worn. New one ordered.'),
      resolved(120, 'Strip replaced.'),
      verified('siobhan', 34, 'No leaves today.'),
    ],
  },
  {
    key: 'south-door-code',
    opened: onDay(9, '15:45'),
    by: 'luca',
    anonymous: true,
    asset: 'S-D1',
    severity: 'medium',
    title: 'Delivery code is written on the wall next to the South door',
    description: 'In marker pen, for everybody to read.',
    turns: [
      acknowledged(0.8, 'Thank you for telling us.'),
      resolved(1.7, 'Code changed and the wall washed. Regular couriers get the new one from the concierge.'),
      verified('siobhan', 15, 'Wall is clean.'),
    ],
  },
]

const gate: Story[] = [
  {
    key: 'gate-down',
    opened: onDay(88, '07:55'),
    by: 'luca',
    asset: 'S-G1',
    severity: 'critical',
    title: 'Car park gate stuck down, nobody gets out',
    description: 'Six cars waiting. Some of us have to be at work.',
    turns: [
      acknowledged(0.2, 'I am there in five minutes and open it by hand.'),
      resolved(1.2, 'A fuse had gone. Gate is working. Sorry for the late start, everybody.'),
      verified('luca', 11, 'In and out without trouble.'),
    ],
  },
  {
    key: 'gate-slow',
    opened: onDay(60, '12:12'),
    by: 'mobile',
    asset: 'S-G1',
    severity: 'low',
    title: 'Gate takes nearly a minute to open',
    description: 'Used to be quicker. Cars queue on the street in the evening.',
    turns: [
      acknowledged(3, 'Thanks, I timed it: 52 seconds. It should be 20.'),
      resolved(70, 'Chain tightened and greased, 19 seconds.'),
      verified('luca', 29, 'Much better.'),
    ],
  },
  {
    key: 'gate-touches-cars',
    opened: onDay(30, '08:20'),
    by: 'anil',
    asset: 'S-G1',
    severity: 'high',
    title: 'Gate comes down while cars are still under it',
    description:
      'It touched the roof box of the car in front of me. No damage, but what if it had been a bicycle?',
    turns: [
      acknowledged(
        0.3,
        'Thank you Anil. Gate stays open, with the concierge watching, until this is understood.',
      ),
      started(2, 'The light barrier was pushed out of line, it looks as if a van had touched it.'),
      resolved(5, 'New barrier with a guard around it. Tested with a bicycle, a pram and me.'),
      verified('anil', 26, 'Stops as it should.'),
      invoiced(88, 34800, 'Portway Gates', 'PG-0561', 'Light barrier, steel guard, safety test'),
    ],
  },
  {
    key: 'gate-half-open',
    opened: onDay(1, '07:48'),
    by: 'siobhan',
    asset: 'S-G1',
    severity: 'high',
    title: 'Car park gate stopped half way',
    description: 'My car fits under it, the van behind me did not. Fob and desk button do nothing.',
    photos: ['gateHalfOpen'],
    turns: [
      acknowledged(0.4, 'Thank you Siobhán. Concierge winds it up by hand, please be patient for a moment.'),
      started(1.1, 'Gate stays open until it is repaired, the cameras are on.'),
      resolved(5.3, 'Limit switch replaced. Everything gets a proper check next week. Does it work for you?'),
    ],
  },
]

export const entranceStories: readonly Story[] = [...doors, ...gate]
