import { decodePhoto } from './decode.js'
import { answerPhotos } from './protocol.js'

answerPhotos((bytes) => decodePhoto(bytes))
