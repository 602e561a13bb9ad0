import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export default defineConfig({
  root: at('.'),
  // `#contracts/` and `#domain/` come from package.json; only the site's own `@/` is a matter of configuration.
  resolve: {
    alias: [
      { find: /^@\//, replacement: at('src/') },
      { find: '@payload-config', replacement: at('payload.config.ts') },
    ],
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: [at('tests/setup/fail-on-console.ts')],
    restoreMocks: true,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.{ts,tsx}'],
          globalSetup: [at('tests/setup/start-postgres.ts')],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
