import { client } from './hey/client.gen.js'
import {
  getIncidents,
  getIncidentsById,
  postDevices,
  postIncidents,
  postIncidentsByIdUpdates,
} from './hey/index.js'

/** Fields and files as a form: the generator knows the first media type of a request alone. */
function asForm(body: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    form.append(name, value instanceof Blob ? value : String(value))
  return form
}

/** What an app does with the client that hey-api makes. */
export async function reportByHeyApi(baseUrl: string, key: string, photo: Uint8Array<ArrayBuffer>) {
  client.setConfig({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const reported = await postIncidents({ body: { assetId: 4, title: 'Made by hey-api', severity: 'low' } })
  if (!reported.data) throw new Error(`refused: ${JSON.stringify(reported.error)}`)
  const { id } = reported.data
  const pictured = await postIncidents({
    body: {
      assetId: 4,
      title: 'With a photo',
      severity: 'low',
      'photos[]': new Blob([photo], { type: 'image/jpeg' }),
    } as never,
    bodySerializer: asForm,
    headers: { 'Content-Type': null },
  } as never)
  const commented = await postIncidentsByIdUpdates({
    path: { id },
    body: { body: 'It is the second floor.' },
  })
  const registered = await postDevices({ body: { token: 'hey-1', platform: 'ios' } })
  const listed = await getIncidents({ query: { status: 'open', limit: 5 } })
  const refused = await getIncidentsById({ path: { id: 999_999 } })
  return {
    commented: commented.response?.status,
    registered: registered.response?.status,
    listed: listed.data?.some((each: { id: number }) => each.id === id),
    photos: (pictured.data as { photos: unknown[] } | undefined)?.photos.length,
    refused: refused.error?.title,
  }
}
