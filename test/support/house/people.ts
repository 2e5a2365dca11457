import { verbsOf } from './verbs.js'

/** What the people of the demo building do, for helpers that have no house at hand. */
export const maya = verbsOf('resident')
export const board = verbsOf('board')
export const office = verbsOf('manager')
export const admin = verbsOf('admin')
