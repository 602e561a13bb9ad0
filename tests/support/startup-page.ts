import { expect, type Page } from '@playwright/test'
import type { DemoFile } from './demo.ts'
import { openServer } from './console-page.ts'
import { signInStaff } from './staff.ts'

const variable = (name: string, environmentVariable: string, preset: string, more: object = {}) => ({
  name,
  environmentVariable,
  default: preset,
  editable: true,
  ...more,
})

/** One variable of each kind; the first is the template's own. */
const VARIABLES = [
  variable('Main file', 'MAIN_FILE', 'index.js', { rules: 'required|string|max:128|ends_with:.js,.mjs,.cjs' }),
  variable('Greeting', 'GREETING', 'Hello', {
    rules: 'nullable|string|max:59',
    description: 'The first line that a player reads.',
  }),
  variable('Player limit', 'MAX_PLAYERS', '20', { rules: 'required|integer|between:1,200' }),
  variable('Difficulty', 'DIFFICULTY', 'easy', { rules: 'required|in:peaceful,easy,normal,hard' }),
  variable('Whitelist', 'WHITELIST', '0', { rules: 'required|boolean' }),
  variable('Bot token', 'BOT_TOKEN', '', { rules: 'nullable|alpha_dash|max:80' }),
  variable('Query port', 'QUERY_PORT', '', { port: 0 }),
  variable('Region', 'REGION', 'Budapest', { editable: false }),
]

/** The start-up page of the worker's server, whose template has one variable of each kind; resolves with the server's id. */
export const openStartup = async (page: Page, demo: DemoFile): Promise<string> => {
  const staff = await signInStaff(demo.url, demo.admin)
  const startupProgram = ['node', '{{root}}/{{env:MAIN_FILE}}', '--greeting={{env:GREETING}}', '{{env:BOT_TOKEN}}']
  const saved = await staff.saveTemplate('nodejs-application', {
    variables: VARIABLES,
    startupProgram: startupProgram.map((value) => ({ value })),
  })
  expect(saved.status, saved.text).toBe(200)
  await staff.close()
  const serverId = await openServer(page)
  await page.goto(`/en/panel/${serverId}/console`)
  await expect(page.locator('.con-meta > [role=status]')).toHaveText(/Running/, { timeout: 60_000 })
  await page.goto(`/en/panel/${serverId}/startup`)
  await expect(page.getByLabel('Main file', { exact: true })).toBeVisible()
  return serverId
}
