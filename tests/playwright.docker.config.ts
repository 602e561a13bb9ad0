import { defineConfig } from '@playwright/test'

import base from './playwright.config.ts'

const { globalSetup: _ports, testIgnore: _ignored, ...common } = base

/** Journeys on one Docker daemon of their own, in a network namespace: only root can make them. */
// Playwright empties its folder when it starts, and the other journeys may be running.
export default defineConfig({ ...common, testDir: './e2e/docker', outputDir: '../.build/e2e-docker-results' })
