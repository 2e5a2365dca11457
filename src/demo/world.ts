import { contacts } from './contacts.js'
import { demoPeople } from './people.js'
import { assets, property, towers, units } from './places.js'
import { stories } from './stories/index.js'

/** The demo building: people, places and stories (decision 5.4). The tests use it too. */
export const demo = { property, towers, units, assets, contacts, people: demoPeople, stories }
