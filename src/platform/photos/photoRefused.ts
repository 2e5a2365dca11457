/**
 * Why a photo is refused. Only `photo_busy` is worth a retry with the same file; `photo_heic`: the
 * optional package that decodes HEIC is not installed here.
 */
export const photoProblems = [
  'photo_empty',
  'photo_type',
  'photo_heic',
  'photo_unreadable',
  'photo_too_large',
  'photo_too_many_pixels',
  'photo_busy',
] as const
export type PhotoProblem = (typeof photoProblems)[number]

/** The file cannot be stored. `cause` is for the log only: it quotes the decoder. */
export class PhotoRefused extends Error {
  /** What its sender calls the file, where that is known. */
  file = ''

  constructor(
    readonly problem: PhotoProblem,
    options?: ErrorOptions,
  ) {
    super(problem, options)
    this.name = 'PhotoRefused'
  }
}
