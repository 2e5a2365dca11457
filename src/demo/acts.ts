import { HOUR } from '../vocabulary/time/calendar.js'
import { localTime } from './directory.js'
import type { Moment, Story, Turn } from './story.js'

/** One write of the demo's history: a report (`turn` null) or a turn. `key` stays for good. */
export type DemoAct = { key: string; at: Date; story: Story; turn: Turn | null }

/** Every act of the stories, oldest first, as seen from `now` (epoch ms). */
export function actsOf(stories: readonly Story[], now: number): DemoAct[] {
  return stories.flatMap((story) => actsOfOne(story, now)).sort((a, b) => a.at.getTime() - b.at.getTime())
}

function actsOfOne(story: Story, now: number): DemoAct[] {
  let at = instantOfMoment(story.opened, now)
  const acts: DemoAct[] = [{ key: `${story.key}/report`, at: new Date(at), story, turn: null }]
  for (const [i, turn] of story.turns.entries()) {
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
