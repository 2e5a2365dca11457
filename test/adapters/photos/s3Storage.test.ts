import { s3Storage } from '../../../src/adapters/photos/s3Storage.js'
import { startS3 } from '../../support/photos/s3Server.js'
import { storeContract } from './contract.js'

storeContract('an object store', async () => {
  const s3 = await startS3()
  return {
    again: () => s3Storage(s3.settings),
    age: (path, ms, area) => s3.age(`${area}/${path}`, ms),
    stop: s3.stop,
  }
})
