import { z } from 'zod'
import { checkPhotoStore } from '../../incidents/model/photos/buildingPhotoStore.js'
import { query } from '../../platform/db/database.js'
import { pendingMigrations } from '../../platform/db/migrations/migrate.js'
import { ownsAudit } from '../../platform/db/migrations/roleRights.js'
import { shape } from '../../platform/http/json.js'
import { answeredByHandler } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { type Failing, failingMessages } from '../../platform/outbox/failingMessages.js'
import { sendingPaused } from '../../platform/outbox/sendingPaused.js'
import { photoStoreFault } from '../../platform/photos/storeFault.js'
import { commit, version } from '../../platform/process/version.js'
import { shareCheck } from './sharedCheck.js'

const checkDatabase = shareCheck(1_000, () => query('select 1'))
const checkMigrations = shareCheck(1_000, async () => {
  if ((await pendingMigrations()) > 0) throw new Error('migrations are pending')
})

const checkPhotosEachMinute = shareCheck(60_000, checkPhotoStore, 2_000)
const checkPhotosWhileFailing = shareCheck(2_000, checkPhotoStore)

/**
 * Whether photos can be stored. This check writes: at most once a minute in this process, however
 * many ask, and every 2 s while photos cannot be stored, as the check or a request found.
 */
export const checkPhotos = () => (photoStoreFault() ? checkPhotosWhileFailing() : checkPhotosEachMinute())

let draining = false

/** Makes /readyz fail from now on, so that load balancers stop sending requests. */
export function beginDraining(): void {
  draining = true
}

const part = z.enum(['ok', 'failed'])
const ReadyJson = shape('Ready', {
  status: z.enum(['ready', 'not ready']),
  checks: z.strictObject({ accepting: part, database: part, migrations: part, photos: part }),
  version: z.string().optional(),
  commit: z.string().optional(),
  delivery: z.strictObject({ mail: part, push: part }).optional(),
  audit: z.string().optional(),
  photos: z.string().optional(),
  sending: z.string().optional(),
})

export const healthRoutes = [
  route({
    method: 'get',
    paths: '/healthz',
    probe: true,
    group: 'operations',
    summary: 'Responds if the process is running.',
    permission: 'health.read',
    answer: shape('Healthy', { status: z.literal('ok') }),
    handle: ({ ctx }) => {
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { status: 'ok' }
      return answeredByHandler
    },
  }),

  route({
    method: 'get',
    paths: '/readyz',
    probe: true,
    group: 'operations',
    summary: 'Reports whether the process is ready, with the state of each part.',
    permission: 'health.read',
    answer: { 200: ReadyJson, 503: ReadyJson },
    handle: async ({ ctx, viewer }) => {
      const [database, migrations, photos] = await Promise.all([
        checkDatabase(),
        checkMigrations(),
        checkPhotos(),
      ])
      const needed = { accepting: draining ? 'failed' : 'ok', database, migrations }
      // Every process has the same photo store: to take this one out of use would help no one
      // (decision 2.13).
      const ready = Object.values(needed).every((check) => check === 'ok')
      ctx.set('Cache-Control', 'no-store')
      ctx.status = ready ? 200 : 503
      const status = ready ? 'ready' : 'not ready'
      const maySeeNotes = viewer.staff || ctx.state.principal === 'monitor'
      const details = maySeeNotes ? await readinessNotes(database === 'ok') : {}
      ctx.body = { status, checks: { ...needed, photos }, ...details }
      return answeredByHandler
    },
  }),
]

/**
 * Further facts for staff and monitors, whether or not the process is ready: no balancer can mend
 * them. It asks a database that does not answer for nothing more.
 */
async function readinessNotes(databaseAnswers: boolean): Promise<Partial<z.output<typeof ReadyJson>>> {
  const photos = photoStoreFault()
  const own = { version, ...(commit ? { commit } : {}), ...(photos ? { photos } : {}) }
  if (!databaseAnswers) return own
  const [owns, failing, paused] = await Promise.all([
    ownsAudit(query).catch(() => false),
    failingMessages().catch(() => null),
    sendingPaused().catch(() => null),
  ])
  const state = (kind: Failing['kind']) =>
    failing?.some((each) => each.kind === kind && each.stuck) ? 'failed' : 'ok'
  return {
    ...own,
    ...(failing ? { delivery: { mail: state('mail'), push: state('push') } } : {}),
    ...(owns ? { audit: 'owned by the serving role' } : {}),
    ...(paused ? { sending: `paused: ${paused.why}` } : {}),
  }
}
