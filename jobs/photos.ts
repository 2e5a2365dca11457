import { parseArgs } from 'node:util'
import { copyPhotos } from '../src/actions/system/copyPhotos.js'
import { adoptPhotoStore, sweepPhotos } from '../src/actions/system/photoStore.js'
import { storeNamed } from '../src/adapters/photos/photoStore.js'
import { runAsProcess } from './run.js'

const usage = `One of these:
  npm run photos -- --to s3      copies the photos of DATA_DIR to the S3_ variables' bucket; --to local, back
  npm run photos -- --adopt      says that the photo store is this database's from now on
  npm run photos -- --sweep      takes photos no row names out of use, however many they are`

/** `npm run photos`: what an operator does with the photo store, one act at a time. */
await runAsProcess(async () => {
  const { to, adopt, sweep } = given()
  if (to === 's3') return { to, ...(await copyPhotos(storeNamed('local'), storeNamed('s3'))) }
  if (to === 'local') return { to, ...(await copyPhotos(storeNamed('s3'), storeNamed('local'))) }
  if (adopt) return adoptPhotoStore()
  if (sweep) return sweepPhotos({ anyShare: true })
  throw new Error(usage)
})

function given(): { to?: string; adopt?: boolean; sweep?: boolean } {
  const options = { to: { type: 'string' }, adopt: { type: 'boolean' }, sweep: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options })
    return Object.keys(values).length === 1 ? values : {}
  } catch {
    return {}
  }
}
