import type { Story } from '../story.js'
import { duplicates } from './duplicates.js'
import { entranceStories } from './entrances.js'
import { homeStories } from './homes.js'
import { northLiftStories } from './northLifts.js'
import { sharedRoomStories } from './sharedRooms.js'
import { southLiftStories } from './southLift.js'
import { waterAndHeatStories } from './waterAndHeat.js'

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
