/** A bench prints its ratios with their goals and returns whether it met them. */
type Bench = () => Promise<boolean>

/** By name; each is loaded when it runs, because what it loads reads the settings. */
export const benches: Record<string, () => Promise<Bench>> = {
  status: async () => (await import('./status.js')).status,
  report: async () => (await import('./report.js')).report,
  webhooks: async () => (await import('./webhooks.js')).webhooks,
  lists: async () => (await import('./lists.js')).staffLists,
  search: async () => (await import('./search.js')).searching,
  export: async () => (await import('./export.js')).exportCsv,
  uploads: async () => (await import('./uploads.js')).uploads,
  sweep: async () => (await import('./sweep.js')).sweep,
  buildings: async () => (await import('./buildings.js')).buildings,
  samples: async () => (await import('./samples.js')).samples,
  emails: async () => (await import('./emails.js')).emails,
  hanging: async () => (await import('./hanging.js')).hanging,
}

/** A quarter of an hour and gigabytes: these run only when they are named. */
export const largeBenches = ['buildings', 'emails']
