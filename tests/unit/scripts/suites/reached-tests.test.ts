import { describe, expect, it, test } from 'vitest'

import { changedFiles } from '../../../../scripts/suites/changed-files.mjs'
import { reachedTests } from '../../../../scripts/suites/reached-tests.mjs'
import { referenceGraph } from '../../../../scripts/suites/reference-graph.mjs'

const { files } = changedFiles({ since: 'HEAD' })
const naming = referenceGraph({ files })
const reachedBy = (...changed: string[]) => reachedTests({ files, changed, naming })

const MIGRATIONS = files.filter((path) => /^control-plane\/.*migrations\/.+\.sql$/.test(path))

describe('a change of this repository reaches the tests that load it, and not all others', () => {
  const CASES: [string, { suite: string; reached: string; not: string }[]][] = [
    [
      'src/domain/billing/premium.ts',
      [
        {
          suite: 'unit',
          reached: 'tests/unit/domain/billing/premium.test.ts',
          not: 'tests/unit/domain/billing/money.test.ts',
        },
      ],
    ],
    [
      'src/messages/en.json',
      [{ suite: 'unit', reached: 'tests/unit/messages.test.ts', not: 'tests/unit/domain/billing/premium.test.ts' }],
    ],
    [
      MIGRATIONS.at(-1) ?? '',
      [
        {
          suite: 'integration',
          reached: 'tests/integration/ledger/concurrency.test.ts',
          not: 'tests/integration/agents/process-driver.test.ts',
        },
      ],
    ],
    [
      'tests/integration/orders/order-process.ts',
      [
        {
          suite: 'integration',
          reached: 'tests/integration/orders/killed-process.test.ts',
          not: 'tests/integration/ledger/concurrency.test.ts',
        },
      ],
    ],
    [
      'agents/runtime/process/shim/main.ts',
      [
        {
          suite: 'integration',
          reached: 'tests/integration/agents/process-driver.test.ts',
          not: 'tests/integration/ledger/concurrency.test.ts',
        },
        {
          suite: 'docker',
          reached: 'tests/integration/docker/agent-on-docker.test.ts',
          not: 'tests/integration/docker/network-namespace.test.ts',
        },
      ],
    ],
    [
      'tests/e2e/prizes.e2e.ts',
      [{ suite: 'e2e', reached: 'tests/e2e/prizes.e2e.ts', not: 'tests/e2e/keyboard.e2e.ts' }],
    ],
  ]
  it.each(CASES)('%s', (changed, expected) => {
    const suites = reachedBy(changed)
    for (const { suite, reached, not } of expected) {
      expect(suites[suite]).toContain(reached)
      expect(suites[suite]).not.toContain(not)
    }
  })
})

test('a page of the site reaches every journey in the browser, which needs the build', () => {
  expect(reachedBy('src/app/[locale]/(panel)/panel/panel-view.tsx').e2e).toBe('all')
})

test('the lock file and the settings of a runner reach all tests that they run', () => {
  expect(reachedBy('package-lock.json')).toMatchObject({ unit: 'all', integration: 'all', e2e: 'all', lint: 'all' })
  for (const path of ['tests/vitest.config.ts', 'tests/setup/own-process-files.ts'])
    expect(reachedBy(path)).toMatchObject({ unit: 'all', integration: 'all', docker: 'all' })
  expect(reachedBy('scripts/start/embedded-postgres.mjs').integration).toBe('all')
})

test('a page of the documentation reaches the lint of itself and the tests that read it', () => {
  const reached = reachedBy('docs/production.md')
  expect(reached['lint']).toEqual(['docs/production.md'])
  expect(reached['integration']).toEqual(['tests/integration/scripts/compose-file.test.ts'])
  expect(reached).not.toHaveProperty('types')
  expect(reached).not.toHaveProperty('e2e')
})

test('a clone without a change reaches nothing', () => {
  expect(reachedBy()).toEqual({})
})
