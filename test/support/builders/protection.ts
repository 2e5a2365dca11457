import { type GivenReport, report } from '../house/report.js'
import { verbsOf } from '../house/verbs.js'

export async function aDismissed(given: GivenReport = {}): Promise<number> {
  const id = await report(given)
  await verbsOf('manager').dismisses(id)
  return id
}

export async function aHidden(given: GivenReport = {}): Promise<number> {
  const id = await report(given)
  await verbsOf('manager').hides(id)
  return id
}
