import { describe } from 'vitest'
import { useApp } from '../../support/app.js'
import { behindProxy } from '../../support/routes/assertions/foreignHost.js'
import { recordExamples } from '../../support/routes/examples/records.js'
import { setupsOf } from '../../support/routes/examples/setups.js'
import { walkWrites } from '../../support/routes/writeWalk.js'

behindProxy()
const app = useApp()

describe('writes to the records of the office', () => walkWrites(app, recordExamples(setupsOf(app))))
