import {
  getIncidents,
  getIncidentsById,
  postDevices,
  postIncidents,
  postIncidentsByIdUpdates,
} from './orval.js'

/** What an app does with the client that orval makes, as it is made without any settings. */
export async function reportByOrval(key: string) {
  const options = { headers: { authorization: `Bearer ${key}` } }
  const reported = await postIncidents({ assetId: 4, title: 'Made by orval', severity: 'low' }, options)
  if (reported.status !== 201) throw new Error(`refused: ${JSON.stringify(reported)}`)
  const { id } = reported.data
  const commented = await postIncidentsByIdUpdates(id, { body: 'It is the second floor.' }, options)
  const registered = await postDevices({ token: 'orval-1', platform: 'android' }, options)
  const listed = await getIncidents({ status: 'open', limit: 5 }, options)
  const shown = await getIncidentsById(id, undefined, options)
  return {
    commented: commented.status,
    registered: registered.status,
    listed: listed.status === 200 && listed.data.some((each) => each.id === id),
    shown: shown.status === 200 && 'title' in shown.data ? shown.data.title : null,
  }
}
