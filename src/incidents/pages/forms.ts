import { incidentPageData } from './incidentPage.js'
import { stageRefusedPhotos } from './postedPhotos.js'

/** A form on the page of an incident: a refusal shows that page with what was typed. */
const onIncidentPage = <Name extends string>(name: Name) => ({
  view: 'incidents/show',
  name,
  load: incidentPageData,
})

/** The forms on the page of an incident, by the name that its template asks for them with. */
export const incidentForms = {
  comment: { ...onIncidentPage('comment'), keepPhotos: stageRefusedPhotos },
  cost: onIncidentPage('cost'),
  duplicates: onIncidentPage('duplicates'),
  edit: onIncidentPage('edit'),
  merge: onIncidentPage('merge'),
  note: onIncidentPage('note'),
}
