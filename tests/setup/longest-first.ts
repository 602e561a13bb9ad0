import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files of integration that take longest, so that none of them is left for the end, where the other workers have nothing
 * to do. One that computes and those that mostly wait come first: they share the cores.
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
