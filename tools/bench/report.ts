import { load } from './load.js'
import { startServer } from './processes.js'
import { ratios } from './ratios.js'
import { formRequest, reportRequest } from './requests/reportRequest.js'
import { givePasswords, signIn } from './requests/signIn.js'
import { history, sized } from './size.js'
import { verdict } from './verdict.js'
import { benchDatabase, fillBuilding, fillHistory, fillPeople, fillResidents } from './world.js'

const rounds = sized({ usual: 11, tiny: 1 })
const connections = sized({ usual: 16, tiny: 2 })
const slice = sized({ usual: 1000, tiny: 300 })

/**
 * A report (incident, follower, audit entry, three emails, the look for pushes) against one bare
 * INSERT over the same stack: as a phone sends it, and as a resident's browser sends the form, with
 * the key that makes it safe to send twice.
 */
export async function report(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(20)
    await fillPeople()
    await fillResidents(connections)
    await fillHistory(history)
    await givePasswords('resident')
    const env = { ...world.env, PUSH_ENABLED: 'true', THROTTLE_SIGN_IN: '1000000' }
    const { port, stop } = await startServer('./servers/caretakerWithBareInsert.js', env)
    const cookies = await Promise.all(
      Array.from({ length: connections }, (_, i) => signIn(port, `resident${i + 1}@bench.example`)),
    )
    const asJson = await against(port, (path) => reportRequest(`/api${path}`), 201)
    let sent = 0
    const asForm = await against(port, (path) => formRequest(path, cookies[sent++ % connections]!), 303)
    await stop()
    const a = verdict('POST /api/incidents as JSON against a bare INSERT', asJson, { atLeast: 0.45 })
    const b = verdict('POST /incidents as a form with its key against a bare INSERT', asForm, {
      atLeast: 0.45,
    })
    return a && b
  } finally {
    await world.stop()
  }
}

async function against(port: number, request: (path: string) => string, status: number) {
  const post = (path: string) => async () => {
    const measured = await load({ port, request: () => request(path), connections, ms: slice })
    if (measured.statuses.size !== 1 || !measured.statuses.has(status))
      throw new Error(`answers: ${JSON.stringify([...measured.statuses])}`)
    return measured.perSecond
  }
  return ratios(post('/bench/insert'), post('/incidents'), rounds)
}
