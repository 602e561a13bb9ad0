import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { defineConfig } from '@playwright/test'

import { HEADLESS_SHELL } from './support/chromium.ts'
import { journeysLeftOut } from './support/journey-shares.ts'

const journeys = readdirSync(join(import.meta.dirname, 'e2e')).filter((name) => name.endsWith('.e2e.ts'))

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.e2e.ts',
  // They bring a Docker daemon and a demo of their own: playwright.docker.config.ts runs them.
  testIgnore: ['docker/**', ...journeysLeftOut(journeys).map((name) => `**/${name}`)],
  outputDir: '../test-results',
  // Each worker has a demo of its own. One of them takes what two cores give: two at once take twice as long each.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 360_000,
  expect: { timeout: 45_000 },
  globalSetup: './setup/reserve-ports.ts',
  // `npm test` counts from the report.
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Budapest',
    // A trace takes as much of the machine as the journey. `--trace retain-on-failure` records those that fail.
    trace: 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 45_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: HEADLESS_SHELL,
      args: [
        '--no-sandbox',
        '--headless',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
