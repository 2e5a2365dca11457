import { config } from '../../config.js'
import { localStorage, type PhotoStore } from './storage.js'

/** Where this deployment keeps its photos. */
export const photoStore: PhotoStore = localStorage(config.photoDir)
