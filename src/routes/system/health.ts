import { checkPhotoStore } from '../../actions/incidents/photos.js'
import { query } from '../../database.js'
import { ownsAudit, pendingMigrations } from '../../migrate.js'
import { checked } from '../../web/answer/checked.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

const databaseThere = checked(1_000, () => query('select 1'))
const migrated = checked(1_000, async () => {
  if ((await pendingMigrations()) > 0) throw new Error('migrations are pending')
})
/** This one writes: however often anybody asks, not more than once a minute. */
const photosKept = checked(60_000, checkPhotoStore)

let draining = false

/** From now on this process says that it is not ready, so that balancers stop sending to it. */
export function beginDraining(): void {
  draining = true
}

/** /healthz: the process lives. /readyz: it can do its work; each part by name, without detail. */
export function healthRoutes(router: AppRouter): void {
  router.get('/healthz', allow('health.read'), (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { status: 'ok' }
  })

  router.get('/readyz', allow('health.read'), async (ctx) => {
    const [database, migrations, photos] = await Promise.all([databaseThere(), migrated(), photosKept()])
    const checks = { accepting: draining ? 'failed' : 'ok', database, migrations, photos }
    const ready = Object.values(checks).every((check) => check === 'ok')
    ctx.set('Cache-Control', 'no-store')
    ctx.status = ready ? 200 : 503
    ctx.body = { status: ready ? 'ready' : 'not ready', checks, ...(await notes(ctx.state.viewer.staff)) }
  })
}

/** What the office may know of this deployment, whether or not it is ready. */
async function notes(staff: boolean): Promise<{ audit?: string }> {
  const owns = staff && (await ownsAudit(query).catch(() => false))
  return owns ? { audit: 'owned by the serving role' } : {}
}
