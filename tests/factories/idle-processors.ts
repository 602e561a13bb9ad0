import { JOB_CATALOG, type JobName, type Processors } from '../../control-plane/platform/jobs/job-catalog.ts'

const names = Object.keys(JOB_CATALOG) as JobName[]

/** Workers that do nothing, for the jobs that a test does not run. */
export const IDLE_PROCESSORS = Object.fromEntries(names.map((name) => [name, async () => {}])) as unknown as Processors
