import { load } from './load.js'
import { startServer } from './processes.js'
import { ratios } from './ratios.js'
import { reportRequest } from './reportRequest.js'
import { verdict } from './verdict.js'
import { benchDatabase, fillBuilding, fillHistory, fillPeople } from './world.js'

/** A report over HTTP (incident, follower, audit entry, three mails, the look for pushes) against one bare INSERT over the same stack. */
export async function report(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(20)
    await fillPeople()
    await fillHistory(10_000)
    const ours = await startServer('caretakerWithBareInsert.js', { ...world.env, PUSH_ENABLED: 'true' })
    const post = (path: string) => async () => {
      const request = reportRequest(path)
      const measured = await load({ port: ours.port, request, connections: 16, ms: 1000 })
      if (measured.statuses.size !== 1 || !measured.statuses.has(201))
        throw new Error(`answers: ${JSON.stringify([...measured.statuses])}`)
      return measured.perSecond
    }
    const [ratio] = await ratios(
      { name: 'insert', measure: post('/api/bench/insert') },
      [{ name: 'report', measure: post('/api/incidents') }],
      11,
    )
    await ours.stop()
    return verdict('POST /api/incidents against a bare INSERT over the same stack', ratio!, { atLeast: 0.6 })
  } finally {
    await world.stop()
  }
}
