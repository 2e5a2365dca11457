import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const jpeg = 'image/jpeg'

/** A form of the fields and files of a request, as a phone sends it. */
function asForm(body: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    for (const each of [value].flat()) form.append(name, each instanceof Blob ? each : String(each))
  return form
}

/** What the app for phones does in a day, with the key of the app and as somebody of the office. */
export async function aDayOfThePhone(baseUrl: string, key: string, photo: Uint8Array<ArrayBuffer>) {
  const phone = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const { data: status } = await phone.GET('/api/status')
  const lift = status?.assets.find((asset) => asset.status === 'operational')
  if (!status || !lift) throw new Error('there is nothing to report')

  const registered = await phone.POST('/api/devices', { body: { token: 'phone-1', platform: 'ios' } })
  const reported = await phone.POST('/api/incidents', {
    params: { header: { 'Idempotency-Key': 'phone-1-report-1' } },
    body: {
      assetId: lift.id,
      title: 'The door does not close',
      severity: 'high',
      'photos[]': [new Blob([photo], { type: jpeg })],
    },
    bodySerializer: asForm,
  })
  if (!reported.data) throw new Error(`refused: ${reported.error.code}`)
  const path = { id: reported.data.id }
  const commented = await phone.POST('/api/incidents/{id}/updates', {
    params: { path },
    body: { body: 'It is the second floor.' },
  })
  const followed = await phone.POST('/api/incidents/{id}/follow', { params: { path } })

  const cookie = await signedIn(baseUrl)
  const office = createClient<paths>({ baseUrl, headers: { cookie } })
  for (const newStatus of ['acknowledged', 'in_progress', 'resolved'] as const)
    await office.POST('/api/incidents/{id}/updates', { params: { path }, body: { body: 'Done.', newStatus } })
  const verified = await phone.POST('/api/incidents/{id}/verify', { params: { path }, body: { fixed: true } })
  const listed = await phone.GET('/api/incidents', {
    params: { query: { status: 'verified', assetId: lift.id, limit: 1 } },
  })
  const shown = await phone.GET('/api/incidents/{id}', { params: { path } })
  const refused = await phone.POST('/api/incidents/{id}/verify', { params: { path }, body: { fixed: true } })
  return {
    platform: registered.data?.platform,
    photos: reported.data.photos.length,
    comment: commented.data?.body,
    following: followed.data?.following,
    verified: verified.data?.status,
    listed: listed.data?.map(({ id, status, assetName }) => ({ id, status, assetName })),
    shown: shown.data && ('mergedInto' in shown.data ? shown.data.redirectTo : shown.data.updates.length),
    refused: refused.error?.code,
    expected: { id: path.id, status: 'verified' as const, assetName: lift.name },
  }
}

async function signedIn(baseUrl: string): Promise<string> {
  const { data, response } = await createClient<paths>({ baseUrl }).POST('/api/auth/sign-in/email', {
    body: { email: 'manager@example.com', password: 'caretaker-demo' },
  })
  if (!data) throw new Error(`no session: ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
