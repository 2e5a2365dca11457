import path from 'node:path'
import { type StoredPhoto, storePhotos } from '../incidents/photos/photos.js'
import { rootDir } from '../platform/ops/config.js'

/** The demo's photos: each shows one moment of one story. */
export const demoPictures = [
  'liftOutOfOrder',
  'liftDoorsAjar',
  'pipeLeak',
  'ceilingLeak',
  'pumpRoom',
  'boilerGauge',
  'doorCloserBroken',
  'doorCloserFitted',
  'doorPanel',
  'gateHalfOpen',
  'flickeringLamp',
  'binsOverflowing',
  'washerLeaking',
] as const

export type Picture = (typeof demoPictures)[number]

/** The folder of their JPEG files, also for the compiled program. */
export const pictureFolder = path.join(rootDir, 'src', 'demo', 'photos')

/** Stores photos of the demo through the pipeline of every upload (decision 2.12). */
export function takePhotos(names: readonly Picture[]): Promise<StoredPhoto[]> {
  return storePhotos(names.map((name) => ({ content: path.join(pictureFolder, `${name}.jpg`), name })))
}
