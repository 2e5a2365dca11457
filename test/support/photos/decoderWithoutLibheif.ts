import { decodePhoto } from '../../../src/platform/photos/decoder/decode.js'
import { answerPhotos } from '../../../src/platform/photos/decoder/protocol.js'

// A decoder's process where the optional package is not installed.
answerPhotos((bytes) => decodePhoto(bytes, () => null))
