import { statSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first; the others follow, largest first. Only
 * the speed depends on it.
 */
export const longest = [
  'torture',
  'incidentWrites',
  'recordWrites',
  'everyRead',
  'twoWorlds',
  'server',
  'axe',
  'embeddedPostgres',
  'jobs',
  'production',
  'kill',
  'hostileEmail',
  'inboundEmail',
  'emailSender',
  'reporting',
  'deliveries',
  'guessing',
  'secondFactor',
]

/**
 * Starts long files first, so that the workers end together; those of shared processes
 * last, so that these are kept.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => Number(shares(a)) - Number(shares(b)) || weight(b) - weight(a))
  }
}

const shares = ({ project }: TestSpecification) => project.config.isolate === false

function weight({ moduleId }: TestSpecification): number {
  const place = longest.indexOf(path.basename(moduleId, '.test.ts'))
  return place < 0 ? statSync(moduleId).size : Number.MAX_SAFE_INTEGER - place
}
