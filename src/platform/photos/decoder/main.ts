import { decodePhoto } from './decode.js'
import { answerPictures } from './protocol.js'

answerPictures((bytes) => decodePhoto(bytes))
