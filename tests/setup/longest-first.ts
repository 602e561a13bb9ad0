import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest integration files run first, so that none runs alone at the end while other workers are idle. CPU-bound
 * and waiting files alternate, because they share the cores.
 */
export const LONGEST = [
  'money/use-case-model',
  'platform/cut-links',
  'platform/several-of-each',
  'agents/network-faults',
  'agents/agent-faults',
  'agents/acme',
  'cms/queries',
  'agents/archive-door',
  'payments/reconcile-claims',
  'payments/interrupted',
  'money/concurrent-history',
  'platform/program',
  'orders/killed-process',
  'agents/panel-attacks',
  'agents/agent-journey',
  'agents/panel-socket',
  'api/bad-amounts',
  'identity/keys',
  'cms/generated-files',
].map((name) => `/tests/integration/${name}.test.ts`)

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((end) => moduleId.endsWith(end))
  return at === -1 ? LONGEST.length : at
}

/** Runs the longest files first, the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    return others.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
