import { acknowledged, onDay, type Story } from '../story.js'

/** Repeated reports of a fault, each with the key of the first report. */
export const duplicates: readonly { story: Story; of: string }[] = [
  {
    of: 'left-lift-down',
    story: {
      key: 'left-lift-no-light',
      opened: onDay(1, '09:40'),
      by: 'mobile',
      asset: 'N-L1',
      severity: 'high',
      title: 'Left lift not working',
      description: 'Light is off and the button does nothing.',
      turns: [
        acknowledged(0.6, 'Thank you. It is the same fault as in the report before, the news will be there.'),
      ],
    },
  },
  {
    of: 'left-lift-down',
    story: {
      key: 'left-lift-pram',
      opened: onDay(1, '15:05'),
      by: 'oksana',
      asset: 'N-L1',
      severity: 'critical',
      title: 'Left elevator in North dead again',
      description: 'Standing in front of it with a pram and the shopping. Please write here when it runs.',
      turns: [
        acknowledged(
          0.5,
          'Sorry, Oksana. The door operator has failed, please see the first report for the news.',
        ),
      ],
    },
  },
]
