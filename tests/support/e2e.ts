import { readFileSync } from 'node:fs'

import { test as base, type Page } from '@playwright/test'

import type { Account, DemoFile } from './demo.ts'

/** The demo that the global set-up started: its addresses and accounts. */
export function demoFile(): DemoFile {
  const path = process.env['BAKTER_DEMO_FILE']
  if (path === undefined) throw new Error('No demo: end-to-end tests run by tests/playwright.config.ts.')
  return JSON.parse(readFileSync(path, 'utf8')) as DemoFile
}

/** Signs the page's browser in through the interface that the login form calls. */
export async function signIn(page: Page, account: Account): Promise<void> {
  const { url } = demoFile()
  const answer = await page.request.post('/api/auth/login', { data: account, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`Sign-in failed: ${answer.status()} ${await answer.text()}`)
}

/** Playwright's test against the demo: paths are relative to its address. */
export const test = base.extend({
  baseURL: async ({}, use) => {
    await use(demoFile().url)
  },
})
