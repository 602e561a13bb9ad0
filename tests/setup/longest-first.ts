import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files of integration that take longest, so that none of them is left for the end, where the other workers have nothing
 * to do. One that computes and those that mostly wait come first: they share the cores.
 */
export const LONGEST = [
  'money/use-case-model',
  'money/fault-points',
  'platform/cut-links',
  'agents/network-faults',
  'cms/queries',
  'agents/acme',
  'agents/agent-faults',
  'agents/files-extremes',
  'agents/files-archive-bounds',
  'agents/files-kills',
  'agents/panel-attacks',
  'platform/several-of-each',
  'agents/fault-matrix',
  'agents/panel-socket',
  'payments/reconcile-claims',
  'agents/node-doors',
  'payments/interrupted',
  'agents/agent-journey',
  'platform/skewed-clocks',
  'money/concurrent-history',
  'platform/queue-and-bus',
  'agents/full-disk',
  'orders/killed-process',
  'ledger/model',
  'scripts/start/embedded-postgres',
  'api/bad-amounts',
  'platform/program',
  'platform-leaf/listening',
  'agents/process-driver',
  'identity/keys',
  'scripts/start/own-stores',
  'cms/access-attacks',
  'agents/archive-door',
  'scripts/install',
  'cms/generated-files',
].map((name) => `/tests/integration/${name}.test.ts`)

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const at = LONGEST.findIndex((end) => moduleId.endsWith(end))
  if (at !== -1) return at
  // A worker keeps its process as long as the next file shares it, too.
  return project.name.endsWith('own-process') ? LONGEST.length : LONGEST.length + 1
}

/** Runs the longest files first, then those with a process of their own, the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    return others.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
