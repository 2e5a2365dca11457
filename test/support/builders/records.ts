import { things } from '../house/things.js'

export const {
  tower: aTower,
  asset: anAsset,
  contact: aContact,
  user: aUser,
  window: aWindow,
  subscription: aSubscription,
} = things
