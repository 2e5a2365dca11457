import { answerPictures } from './answerPictures.js'
import { decodePhoto } from './decode.js'

answerPictures(decodePhoto)
