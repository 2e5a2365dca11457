import {
  acknowledged,
  expected,
  hoursAgo,
  invoiced,
  onDay,
  resolved,
  type Story,
  said,
  started,
  verified,
} from '../story.js'

const engineers = 'Ascent Lift Services'
/**
 * The North left lift's doors: three repairs, each longer than the last, then the breakdown they
 * foretold.
 */
const leftLift: Story[] = [
  {
    key: 'left-lift-reopens',
    opened: onDay(92, '07:42'),
    by: 'yusuf',
    asset: 'N-L1',
    severity: 'high',
    title: 'Left lift doors keep reopening',
    description:
      'Doors close, open, close, open. Took five goes to get down from 9 this morning. You can help by pushing them together but I dont think we should.',
    turns: [
      acknowledged(0.6, 'Thank you Yusuf, I saw it on 3 as well. Engineer is booked for this afternoon.'),
      started(5.5, 'Engineer on site, the lift is off while he works.'),
      resolved(
        1.8,
        'The sensor at the door edge was dirty and out of line. Cleaned and adjusted, 40 runs without a fault.',
      ),
      verified('yusuf', 4, 'Works again, thank you.'),
      invoiced(113, 18400, engineers, 'ALS-20418', 'Call-out, door edge sensor adjusted'),
    ],
  },
  {
    key: 'left-lift-half-open',
    opened: onDay(61, '18:15'),
    by: 'mobile',
    asset: 'N-L1',
    severity: 'critical',
    title: 'Left lift stuck on 7 with doors half open',
    description: 'Nobody inside. It stopped half way and beeps.',
    turns: [
      said(
        'george',
        0.2,
        'Can confirm, it is outside my door. I have put a chair in front so nobody steps in.',
      ),
      acknowledged(
        0.3,
        'Thanks both, good thinking with the chair. Engineer called, about two hours. Please take the right lift.',
      ),
      started(2, 'Engineer has arrived.'),
      resolved(
        1.7,
        'A roller of the door had come off its track. New roller fitted. Sorry about the noisy evening, floor 7.',
      ),
      verified('george', 10.5, 'Running since last night, no beeping.'),
      invoiced(96, 46250, engineers, 'ALS-20671', 'Evening call-out, one door roller'),
    ],
  },
  {
    key: 'left-lift-stuck-again',
    opened: onDay(27, '08:05'),
    by: 'maya',
    asset: 'N-L1',
    severity: 'critical',
    title: 'Left lift doors stuck open again',
    description:
      'Same as last month, they open on 12 and stay open. I missed a hospital appointment waiting for the right one. Can we please look at the cause this time and not only at the symptom?',
    turns: [
      acknowledged(
        0.5,
        'I am sorry about the appointment, Maya. Engineer is on the way, and I have asked for their senior colleague.',
      ),
      started(
        2.5,
        'They are replacing both rollers and resetting the door operator. It needs a part, so the lift stays off tonight.',
      ),
      said(
        'eleanor',
        6,
        'The board has asked Ascent for a written report on the door operator. I will share it here.',
      ),
      resolved(
        17,
        'Running again. Ascent recommend a new door operator, the old one is worn. The quote is with the board.',
      ),
      verified('maya', 32, 'Works for now, thanks for staying on it.'),
      said(
        'eleanor',
        40,
        'Report is in: the operator should be replaced. We have approved the quote, delivery takes four to six weeks.',
      ),
      invoiced(25, 71800, engineers, 'ALS-21036', 'Two visits, door rollers as a pair, operator reset'),
    ],
  },
  {
    key: 'left-lift-down',
    opened: onDay(1, '08:12'),
    by: 'maya',
    asset: 'N-L1',
    severity: 'critical',
    title: 'Left lift out of order, doors jammed on ground floor',
    description:
      "Stopped on the ground floor with the doors a hand's width open. Nobody is inside, I looked. The right lift works but the queue went out to the street.",
    photos: ['liftOutOfOrder', 'liftDoorsAjar'],
    turns: [
      acknowledged(
        0.4,
        'Thank you Maya. Lift is switched off and the sign is up. Engineer will be here within three hours.',
      ),
      started(
        2.8,
        'This time the door operator itself has failed, the part we were going to replace anyway. We are asking for an express delivery.',
      ),
      said(
        'yusuf',
        6.6,
        'Any idea how long? My mother is on nine and the right lift was full three times this afternoon.',
      ),
      said(
        'tomasz',
        0.7,
        'I understand, Yusuf. If she needs to go out, ring the office or the concierge and we hold the right lift for her.',
      ),
      said(
        'tomasz',
        0.8,
        'Waiting for the part: it has left the depot and comes tomorrow, fitting takes about four hours. I write here as soon as it is in the building.',
      ),
      expected(0.1, 'waiting_for_parts', 5),
      said('george', 1.4, 'Thanks for the clear news. Much better than a sign and silence.'),
    ],
  },
]
const rightLift: Story[] = [
  {
    key: 'right-lift-button',
    opened: onDay(74, '20:31'),
    by: 'ruth',
    asset: 'N-L2',
    severity: 'low',
    title: 'Button for 2 in the right lift does not light up',
    description:
      'It stops on 2 all right, only the light is out. My neighbour presses it ten times to be sure.',
    turns: [
      acknowledged(13, 'Thanks Ruth. It goes on the list for the next service visit.'),
      resolved(145, 'Lamp changed by the service engineer.'),
      verified('ruth', 30, 'It shines! Thank you.'),
    ],
  },
  {
    key: 'right-lift-level',
    opened: onDay(48, '09:20'),
    by: 'george',
    asset: 'N-L2',
    severity: 'medium',
    title: 'Right lift stops a little below the floor on 7',
    description: 'About 3 cm. Not much, but my walking frame catches on it.',
    turns: [
      acknowledged(
        0.8,
        'Thank you George, that is somewhere to trip. Engineer comes today, please mind the step until then.',
      ),
      resolved(6.2, 'Brake adjusted. I measured all floors with him, level everywhere.'),
      verified('george', 2.4, 'Smooth as butter.'),
    ],
  },
  {
    key: 'right-lift-smoke',
    opened: onDay(33, '21:50'),
    by: 'oksana',
    anonymous: true,
    asset: 'N-L2',
    severity: 'low',
    title: 'Right lift smells of cigarettes in the evenings',
    description:
      'Most evenings around nine. I do not want to point at anybody, could there be a friendly notice?',
    turns: [
      acknowledged(11, 'Of course. Notice goes up today and the concierge will keep an eye on it.'),
      said('oksana', 60, 'Already better this week.'),
      resolved(20, 'Good to hear, thank you for writing in.'),
      verified('ruth', 25, 'No smell for days now.'),
    ],
  },
  {
    key: 'right-lift-light',
    opened: hoursAgo(6.4),
    by: 'mobile',
    asset: 'N-L2',
    severity: 'low',
    title: 'Ceiling light in the right lift blinks',
    description: 'Not bad yet, but it is the only lift in North today. Would be a shame if it goes dark.',
  },
]
export const northLiftStories: readonly Story[] = [...leftLift, ...rightLift]

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
