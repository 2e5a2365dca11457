import { readCommandLine } from '../platform/process/commandLine.js'

// Imported first by the server, so that a wrong argument is refused before anything is read or
// connected.
readCommandLine({
  usage: `npm start
  Starts the web process. Every setting is a variable: docs/configuration.md. Without DATABASE_URL it has a
  database of its own in DATA_DIR, with a demo building.`,
})
