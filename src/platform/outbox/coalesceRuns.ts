/** Calls during a run share one further run, and wait for it. */
export function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  async function run(): Promise<void> {
    try {
      while (again) {
        again = false
        await work()
      }
    } finally {
      running = null
    }
  }
  return () => {
    again = true
    running ??= run()
    return running
  }
}
