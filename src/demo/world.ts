import { contacts } from './contacts.js'
import { people } from './people.js'
import { assets, property, towers, units } from './places.js'
import { stories } from './stories/index.js'

/** The demo building by name: who lives there, what there is, what happened (decision 5.4). The tests' world too. */
export const demo = { property, towers, units, assets, contacts, people, stories }
