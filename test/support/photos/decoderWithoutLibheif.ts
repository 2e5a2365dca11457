import { decodePhoto } from '../../../src/platform/photos/decoder/decode.js'
import { answerPictures } from '../../../src/platform/photos/decoder/protocol.js'

// A decoder's process where the optional package is not installed.
answerPictures((bytes) => decodePhoto(bytes, () => null))
