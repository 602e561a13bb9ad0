import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

import { LongestFirst } from './setup/longest-first.ts'
import { ownProcessFiles } from './setup/own-process-files.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const ELSEWHERE = ['tests/integration/{docker,system}/**']
const ownOfUnit = ownProcessFiles(at('tests/unit'), at('tests/'))
const ownOfIntegration = ownProcessFiles(at('tests/integration'), at('tests/'))

const unit = { include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 150_000, hookTimeout: 150_000 }
const integration = {
  include: ['tests/integration/**/*.test.{ts,tsx}'],
  exclude: ELSEWHERE,
  globalSetup: [at('tests/setup/start-postgres.ts')],
  testTimeout: 300_000,
  hookTimeout: 240_000,
}

export default defineConfig({
  root: at('.'),
  // `#contracts/`, `#domain/`, `#message-text/` and `#platform/` come from package.json; only the site's own `@/` is a matter of configuration.
  resolve: {
    alias: [
      { find: /^@\//, replacement: at('src/') },
      { find: '@payload-config', replacement: at('payload.config.ts') },
    ],
  },
  test: {
    pool: 'forks',
    maxWorkers: Number(process.env['BAKTER_TEST_WORKERS'] ?? 2),
    // See scripts/start/node-arguments.mjs.
    execArgv: ['--conditions=development'],
    setupFiles: [at('tests/setup/fail-on-console.ts')],
    restoreMocks: true,
    // A time-out to wait with: the machine may be busy.
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files share the process of their worker, and what is loaded there, unless they would leave something behind.
      { extends: true, test: { ...unit, name: 'unit', exclude: ownOfUnit, isolate: false } },
      { extends: true, test: { ...unit, name: 'unit-own-process', include: ownOfUnit } },
      {
        extends: true,
        test: { ...integration, name: 'integration', exclude: [...ELSEWHERE, ...ownOfIntegration], isolate: false },
      },
      { extends: true, test: { ...integration, name: 'integration-own-process', include: ownOfIntegration } },
      {
        extends: true,
        // Real Docker daemons in network namespaces of their own: only root can make them.
        test: {
          name: 'docker',
          include: ['tests/integration/docker/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        // Whole programs from their bundles: they need the build, and run one after the other.
        test: {
          name: 'system',
          include: ['tests/integration/system/**/*.test.ts'],
          globalSetup: [at('tests/setup/start-postgres.ts')],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
