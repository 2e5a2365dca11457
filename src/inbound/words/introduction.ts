/**
 * What a mail program writes above words that it quotes or forwards: the lines from `start` to
 * before `end`. `kind`: a block of headers, or a sentence such as "On … wrote:". `marksForward`:
 * its mark says that the words are forwarded. `isSure`: nobody types that. `name`: the sender it
 * names.
 */
export type Introduction = {
  start: number
  end: number
  kind: 'headers' | 'sentence'
  marksForward: boolean
  isSure: boolean
  name: string | null
  text: string
}
