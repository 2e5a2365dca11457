// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { adoptPhotoStore, sweepPhotos } from '../src/incidents/model/photos/buildingPhotoStore.js'
import { copyPhotos } from '../src/incidents/model/photos/copyPhotos.js'
import { storeNamed } from '../src/platform/photos/configuredStore.js'
import { argumentsOf } from './support/commandLine.js'
import { runAsProcess } from './support/runJob.js'

/** `npm run photos`: what an operator does with the photo store, one act at a time. */
const { values } = argumentsOf('photos')
await runAsProcess(() => perform(values))

async function perform({ to, adopt }: typeof values): Promise<object> {
  if (to === 's3') return { to, ...(await copyPhotos(storeNamed('local'), storeNamed('s3'))) }
  if (to === 'local') return { to, ...(await copyPhotos(storeNamed('s3'), storeNamed('local'))) }
  return adopt ? adoptPhotoStore() : sweepPhotos({ evenIfTooManyUnknown: true })
}
