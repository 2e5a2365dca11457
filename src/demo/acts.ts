import { HOUR, instantOf, wallClock } from '../vocabulary/time/calendar.js'
import { assets, contacts, demoPeople, property, towers, units } from './directory.js'
import { entranceStories } from './stories/entrances.js'
import { homeStories } from './stories/homes.js'
import { northLiftStories, southLiftStories } from './stories/northLifts.js'
import { sharedRoomStories } from './stories/sharedRooms.js'
import { waterAndHeatStories } from './stories/waterAndHeat.js'
import { acknowledged, type Moment, onDay, type Story, type Turn } from './story.js'

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

/** Every incident of the demo, place by place. */
export const stories: readonly Story[] = [
  ...northLiftStories,
  ...southLiftStories,
  ...entranceStories,
  ...waterAndHeatStories,
  ...sharedRoomStories,
  ...homeStories,
  ...duplicates.map(({ story }) => story),
]

/** The demo building: people, places and stories (decision 5.4). The tests use it too. */
export const demo = { property, towers, units, assets, contacts, people: demoPeople, stories }

/**
 * One write of the demo's history: a report (`turn` null) or one of its turns. `key` identifies it
 * for good.
 */
export type DemoAct = { key: string; at: Date; story: Story; turn: Turn | null }

/** Every act of the stories, oldest first, as seen from `now` (epoch ms). */
export function actsOf(stories: readonly Story[], now: number): DemoAct[] {
  return stories.flatMap((story) => actsOfOne(story, now)).sort((a, b) => a.at.getTime() - b.at.getTime())
}

function actsOfOne(story: Story, now: number): DemoAct[] {
  let at = instantOfMoment(story.opened, now)
  const acts: DemoAct[] = [{ key: `${story.key}/report`, at: new Date(at), story, turn: null }]
  for (const [i, turn] of (story.turns ?? []).entries()) {
    at += Math.round(turn.after * HOUR)
    acts.push({ key: `${story.key}/${i + 1}`, at: new Date(at), story, turn })
  }
  return acts
}

/** In the property's local time, so that seven in the morning is the same in summer and winter. */
function instantOfMoment(moment: Moment, now: number): number {
  if ('hoursAgo' in moment) return now - Math.round(moment.hoursAgo * HOUR)
  return localTime(now, -moment.daysAgo, moment.clock)
}

/**
 * The instant (epoch ms) of a clock time such as `07:42`, `days` local days from the day of `now`.
 */
export function localTime(now: number, days: number, clock: string): number {
  const { year, month, day } = wallClock(property.timezone, now)
  const [hour, minute] = clock.split(':').map(Number) as [number, number]
  return instantOf(property.timezone, { year, month, day: day + days, hour, minute })
}
