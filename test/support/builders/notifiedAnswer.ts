import { type Answer, anAnswer } from './answers.js'

export const aNotifiedAnswer = (incidentId: number, answer: Answer) =>
  anAnswer(incidentId, { ...answer, notified: true })
