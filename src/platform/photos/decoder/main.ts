import { decodePhoto } from './decode.js'
import { answerPictures } from './processedPhoto.js'

answerPictures(decodePhoto)
