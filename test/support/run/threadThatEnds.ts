import { parentPort } from 'node:worker_threads'

// Answers one task, and ends soon after, while no one waits for it.
parentPort?.on('message', () => {
  parentPort?.postMessage({ result: 'Words' })
  setTimeout(() => process.exit(), 50)
})
parentPort?.postMessage({ ready: true })
