import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

import { describedFiles } from '../../src/cms/seed/content/described-files.ts'
import { violations } from '../support/axe.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import { code, openFiles, putFile, rootOf } from '../support/files-page.ts'
import { keepSession } from '../support/console-page.ts'
import { expect, test } from './test.ts'

// A file that the server's template describes: a form over the text of a YAML file.

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const FILE = 'bukkit.yml'
const TEXT = [
  '# by hand',
  'settings:',
  '  allow-end: true # the dragon',
  "  shutdown-message: 'Server closed'",
  '  connection-throttle: 4000',
  '  my-plugin-key: [a, b]',
  'spawn-limits:',
  '  monsters: 70',
  '  foxes: 3',
  'aliases: now-in-commands.yml',
  '',
].join('\n')

/** The template of the journeys' server describes the file, as staff enter it. */
const describe = async (dataDir: string, files: unknown): Promise<void> => {
  const { DATABASE_URL } = environmentOf(programOf(dataDir, 'site'))
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  try {
    const text = `update templates set described_files = $1 where slug = 'nodejs-application'`
    expect((await client.query(text, [JSON.stringify(files)])).rowCount).toBe(1)
  } finally {
    await client.end()
  }
}

test('a described YAML file is edited as a form: comments, order and unknown keys stay, and the text shows the same', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, FILE, TEXT)
  const onDisk = () => readFileSync(join(root, FILE), 'utf8')
  await describe(dataDir, describedFiles['minecraft-paper'])
  try {
    await page.goto(`/en/panel/${serverId}/edit/${FILE}`)
    await expect(page.getByRole('heading', { name: 'Most creatures' })).toBeVisible()
    for (const size of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      expect.soft(await violations(page), `at ${size.width}`).toEqual([])
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    }
    await page.getByRole('switch', { name: 'The End' }).uncheck()
    await page.getByLabel('Message at the stop').fill("It's over: bye")
    await page.getByLabel('spawn-limits.foxes').fill('4')
    await page.getByLabel('Monsters').fill('many')
    await expect(page.getByText('A whole number from -1 to 10000. With this value the server uses 70.')).toBeVisible()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Nothing was saved' })).toBeVisible()
    expect(onDisk()).toBe(TEXT)
    await page.getByLabel('Monsters').fill('35')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText(/^Saved at/)).toBeVisible()
    expect(onDisk()).toBe(
      TEXT.replace('allow-end: true', 'allow-end: false')
        .replace("'Server closed'", "'It''s over: bye'")
        .replace('foxes: 3', 'foxes: 4')
        .replace('monsters: 70', 'monsters: 35'),
    )
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(code(page)).toContainText('allow-end: false # the dragon')
    await page.locator('.cm-line').filter({ hasText: 'connection-throttle' }).click()
    await expect(page.locator('.key-note')).toContainText('Milliseconds that one address has to wait')

    // A text that is no YAML has no form; its line is named, and the form is back once it is mended.
    await page.keyboard.press('End')
    await page.keyboard.type(': a')
    await expect(page.getByRole('status').filter({ hasText: 'the YAML is broken at line' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Form', exact: true })).toBeDisabled()
    for (let letter = 0; letter < 3; letter += 1) await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await expect(page.getByLabel('Pause between joins')).toHaveValue('4000')
  } finally {
    await describe(dataDir, [])
  }
})
