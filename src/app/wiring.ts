import { onZoneChange } from '../building/property/editProperty.js'
import { changeZone } from '../maintenance/windows.js'
import { effects } from '../notifications/effects/effects.js'
import { registerEffects } from '../platform/db/change.js'

/*
 * What the ground calls and features supply. Every process that writes imports this file: a change
 * without registered effects throws.
 */
registerEffects(effects)
onZoneChange(changeZone)
