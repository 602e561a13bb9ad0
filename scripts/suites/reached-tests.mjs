// The tests of each suite that a change can reach: `npm test -- changed` runs them.
import { reachedFrom, referenceGraph } from './reference-graph.mjs'

/** The configuration of vitest, and the modules that decide it. */
const VITEST = ['tests/vitest.config.ts', 'tests/setup/longest-first.ts', 'tests/setup/own-process-files.ts']

/** Suite -> its test files, and the files that its runner loads for all of them. */
const TESTS = {
  unit: {
    files: /^tests\/unit\/.+\.test\.tsx?$/,
    config: VITEST,
    setup: 'tests/setup/fail-on-console.ts',
  },
  integration: {
    files: /^tests\/integration\/(?!docker\/|system\/).+\.test\.tsx?$/,
    config: VITEST,
    setup: 'tests/setup/start-postgres.ts',
  },
  docker: {
    files: /^tests\/integration\/docker\/.+\.test\.ts$/,
    config: VITEST,
    setup: 'tests/setup/fail-on-console.ts',
  },
  system: {
    files: /^tests\/integration\/system\/.+\.test\.ts$/,
    config: VITEST,
    setup: 'tests/setup/start-postgres.ts',
  },
  e2e: {
    files: /^tests\/e2e\/(?!docker\/).+\.e2e\.ts$/,
    config: ['tests/playwright.config.ts'],
    setup: 'tests/setup/reserve-ports.ts',
  },
  'e2e-docker': { files: /^tests\/e2e\/docker\/.+\.e2e\.ts$/, config: ['tests/playwright.docker.config.ts'] },
}

/** A change of these files affects everything. */
const EVERYTHING = /^(package\.json|package-lock\.json|tsconfig\.json)$/
const LINT_RULES = /^(\.oxlintrc\.json|\.prettierrc\.json|\.prettierignore|scripts\/rules\/oxlint-house-rules\.mjs)$/
const CODE = /\.(ts|tsx|mjs|cjs|json)$/

/**
 * Suite -> its reached files, or `all`. A suite without an entry is not reached. `all` of `types` is as quick as a part
 * of it, since the compiler is incremental.
 */
export function reachedTests({ files, changed, gone = [], naming = referenceGraph({ files, gone }) }) {
  if (changed.length === 0) return {}
  const isEverything = changed.some((path) => EVERYTHING.test(path))
  const reached = reachedFrom(naming, changed)
  const there = changed.filter((path) => !gone.includes(path))
  const isRelinted = isEverything || changed.some((path) => LINT_RULES.test(path))
  const suites = { lint: isRelinted ? 'all' : there }
  if (changed.some((path) => CODE.test(path))) suites.types = 'all'
  for (const [suite, { files: pattern, config, setup }] of Object.entries(TESTS)) {
    const tests = files.filter((path) => pattern.test(path))
    const isWhole = isEverything || config.some((path) => changed.includes(path)) || reached.has(setup)
    const some = tests.filter((path) => reached.has(path))
    if (isWhole || some.length === tests.length) suites[suite] = 'all'
    else if (some.length > 0) suites[suite] = some
  }
  return suites
}
