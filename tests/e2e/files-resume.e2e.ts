import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Page, Request } from '@playwright/test'

import { violations } from '../support/axe.ts'
import { keepSession } from '../support/console-page.ts'
import { openFiles, row } from '../support/files-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const MIB = 1024 * 1024
const PART_BYTES = 8 * MIB
const PARTS = 3
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The address of an upload at its node. */
const UPLOAD = /\/files\/uploads\/[0-9a-f-]{36}$/

/** A file of several parts on the reader's disk. */
const largeFile = (folder: string, name: string): { at: string; bytes: Buffer } => {
  const bytes = randomBytes(PARTS * PART_BYTES + 5)
  const at = path.join(folder, name)
  fs.writeFileSync(at, bytes)
  return { at, bytes }
}

const servers = (dataDir: string): string[] => {
  const all = path.join(dataDir, 'agent/servers')
  return fs.readdirSync(all).map((identifier) => path.join(all, identifier))
}
/** The file on the node's disk, of whichever server has it. */
const onNode = (dataDir: string, name: string): Buffer | undefined => {
  const at = servers(dataDir)
    .map((server) => path.join(server, 'root', name))
    .find((file) => fs.existsSync(file))
  return at === undefined ? undefined : fs.readFileSync(at)
}
/** The node's note about an upload; undefined for one that has ended since its folder was listed. */
const aboutUpload = (file: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
/** Bytes of unfinished uploads of this name on the node's disk; undefined without one. */
const unfinished = (dataDir: string, name: string): number | undefined => {
  for (const server of servers(dataDir)) {
    const uploads = path.join(server, 'files/uploads')
    for (const id of fs.existsSync(uploads) ? fs.readdirSync(uploads) : []) {
      const about = aboutUpload(path.join(uploads, id, 'about.json'))
      if (about?.['path'] === name && fs.existsSync(path.join(uploads, id, 'content'))) return Number(about['offset'])
    }
  }
  return undefined
}

/** Where each part begins that the page sends from now on; `after` parts, each further one waits until it is let go. */
const watchParts = async (page: Page, { holdAfter }: { holdAfter: number }) => {
  const offsets: number[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  await page.route(UPLOAD, async (route) => {
    const request: Request = route.request()
    if (request.method() !== 'PATCH') return route.continue()
    offsets.push(Number(request.headers()['upload-offset']))
    expect(request.headers()['upload-checksum']).toMatch(/^sha256 [\w+/]{43}=$/)
    if (offsets.length > holdAfter) await held
    return route.continue().catch(() => {})
  })
  return { offsets, goOn: () => goOn() }
}

let folder: string
test.beforeEach(() => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'bakter-resume-'))
})
test.afterEach(() => fs.rmSync(folder, { recursive: true }))

test('a large file goes on where its connection was cut', async ({ page, dataDir, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource|WebSocket/)
  await openFiles(page)
  const name = `world-${randomBytes(3).toString('hex')}.zip`
  const { at, bytes } = largeFile(folder, name)
  const parts = await watchParts(page, { holdAfter: 1 })
  await page.locator('input[type=file]').last().setInputFiles(at)
  const tray = page.locator('.ftray').filter({ hasText: name })
  await expect.poll(() => parts.offsets.length).toBe(2)
  await page.context().setOffline(true)
  parts.goOn()
  await expect(tray).toContainText('The upload was interrupted.')
  // The tray still counts the part that arrived.
  await expect(tray).toContainText(/8\sMB\s\/\s24\sMB(?! ·)/)
  expect(unfinished(dataDir, name)).toBe(PART_BYTES)
  // The node is there again, but has no place for the first question: that is no reason to begin anew.
  const questions: string[] = []
  await page.route(UPLOAD, async (route) => {
    if (route.request().method() !== 'HEAD' || questions.push('busy') > 1) return route.fallback()
    const origin = new URL(page.url()).origin
    return route.fulfill({ status: 503, headers: { 'access-control-allow-origin': origin, 'retry-after': '5' } })
  })
  await page.context().setOffline(false)
  await expect(row(page, name)).toBeVisible({ timeout: 120_000 })
  expect(questions.length).toBeGreaterThan(1)
  expect(parts.offsets[0]).toBe(0)
  expect(parts.offsets.slice(1).every((offset) => offset >= PART_BYTES)).toBe(true)
  expect(hash(onNode(dataDir, name) ?? Buffer.alloc(0))).toBe(hash(bytes))
  expect(unfinished(dataDir, name)).toBeUndefined()
})

test('after a reload a large file goes on once it is chosen again, and another one of its name does not', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const name = `map-${randomBytes(3).toString('hex')}.zip`
  const { at, bytes } = largeFile(folder, name)
  const before = await watchParts(page, { holdAfter: 2 })
  await page.locator('input[type=file]').last().setInputFiles(at)
  await expect.poll(() => before.offsets.length).toBe(3)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`/en/panel/${serverId}/files`)
  before.goOn()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const note = page.getByRole('group', { name: `The upload of ${name} isn't finished` })
  await expect(note).toContainText('16')
  expect(await violations(page)).toEqual([])

  const smaller = path.join(folder, 'other', name)
  fs.mkdirSync(path.dirname(smaller))
  fs.writeFileSync(smaller, bytes.subarray(0, 100))
  await note.locator('input[type=file]').setInputFiles(smaller)
  await expect(note).toContainText(`That's a different file. Choose ${name} as it was when you started.`)
  expect([onNode(dataDir, name), unfinished(dataDir, name)]).toEqual([undefined, 2 * PART_BYTES])

  const parts = await watchParts(page, { holdAfter: PARTS + 1 })
  await note.locator('input[type=file]').setInputFiles(at)
  await expect(row(page, name)).toBeVisible({ timeout: 120_000 })
  expect(parts.offsets).toEqual([2 * PART_BYTES, 3 * PART_BYTES])
  expect(hash(onNode(dataDir, name) ?? Buffer.alloc(0))).toBe(hash(bytes))
  await expect(note).toBeHidden()
})

test('an upload that is cancelled, or discarded after a reload, leaves nothing at the node', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const names = ['one', 'two'].map((word) => `${word}-${randomBytes(3).toString('hex')}.zip`)
  const [cancelled = '', discarded = ''] = names
  for (const name of names) largeFile(folder, name)
  const parts = await watchParts(page, { holdAfter: 1 })
  await page.locator('input[type=file]').last().setInputFiles(path.join(folder, cancelled))
  await expect.poll(() => parts.offsets.length).toBe(2)
  expect(unfinished(dataDir, cancelled)).toBe(PART_BYTES)
  await page.getByRole('button', { name: 'Cancel the uploads' }).click()
  parts.goOn()
  await expect.poll(() => unfinished(dataDir, cancelled)).toBeUndefined()

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const second = await watchParts(page, { holdAfter: 1 })
  await page.locator('input[type=file]').last().setInputFiles(path.join(folder, discarded))
  await expect.poll(() => second.offsets.length).toBe(2)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`/en/panel/${serverId}/files`)
  second.goOn()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(() => unfinished(dataDir, discarded)).toBeUndefined()
  expect([onNode(dataDir, cancelled), onNode(dataDir, discarded)]).toEqual([undefined, undefined])
  await page.reload()
  await expect(row(page, 'package.json')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Discard', exact: true })).toHaveCount(0)
})

test('another browser of the same person goes on with an upload, by keyboard alone, once it has compared the file', async ({
  page,
  browser,
  demo,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const name = `far-${randomBytes(3).toString('hex')}.zip`
  const { at, bytes } = largeFile(folder, name)
  const before = await watchParts(page, { holdAfter: 2 })
  await page.locator('input[type=file]').last().setInputFiles(at)
  await expect.poll(() => before.offsets.length).toBe(3)
  const storageState = { cookies: await page.context().cookies(), origins: [] }
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  before.goOn()

  const second = await browser.newContext({ storageState, viewport: { width: 390, height: 844 }, locale: 'en' })
  try {
    const phone = await second.newPage()
    await phone.goto(`${demo.url}/en/panel/${serverId}/files`)
    const note = phone.getByRole('group', { name: `The upload of ${name} isn't finished` })
    await expect(note).toContainText(/16\sMB\s\/\s24\sMB/)
    const choose = note.getByRole('button', { name: 'Choose the file' })
    await expect(choose).toBeVisible({ timeout: 30_000 })
    expect(await violations(phone)).toEqual([])
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    // The same name and size, and other bytes at a place that has arrived.
    const changed = Buffer.from(bytes)
    changed[PART_BYTES + 7] = (changed[PART_BYTES + 7] ?? 0) ^ 1
    const other = path.join(folder, 'other', name)
    fs.mkdirSync(path.dirname(other))
    fs.writeFileSync(other, changed)
    await note.locator('input[type=file]').setInputFiles(other)
    await expect(note).toContainText(`That's a different file. Choose ${name} as it was when you started.`)
    expect([onNode(dataDir, name), unfinished(dataDir, name)]).toEqual([undefined, 2 * PART_BYTES])

    const parts = await watchParts(phone, { holdAfter: PARTS + 1 })
    const chooser = phone.waitForEvent('filechooser')
    await choose.focus()
    await phone.keyboard.press('Enter')
    await (await chooser).setFiles(at)
    await expect(row(phone, name)).toBeVisible({ timeout: 120_000 })
    expect(parts.offsets).toEqual([2 * PART_BYTES, 3 * PART_BYTES])
    expect(hash(onNode(dataDir, name) ?? Buffer.alloc(0))).toBe(hash(bytes))
    await expect(note).toBeHidden()
  } finally {
    await second.close()
  }
})

test('an upload is paused by keyboard, sends nothing meanwhile, is paused after a reload, and goes on', async ({
  page,
  dataDir,
}) => {
  await openFiles(page)
  const name = `rest-${randomBytes(3).toString('hex')}.zip`
  const { at, bytes } = largeFile(folder, name)
  const parts = await watchParts(page, { holdAfter: 1 })
  await page.locator('input[type=file]').last().setInputFiles(at)
  await expect.poll(() => parts.offsets.length).toBe(2)
  const pause = page.getByRole('button', { name: 'Pause uploads' })
  await pause.focus()
  await page.keyboard.press('Enter')
  const resume = page.getByRole('button', { name: 'Resume uploads' })
  await expect(resume).toBeFocused()
  await expect(page.getByText('Paused. The uploaded parts of large files stay')).toBeVisible()
  expect(await violations(page)).toEqual([])
  parts.goOn()
  await page.waitForTimeout(1_500)
  expect([parts.offsets.length, unfinished(dataDir, name)]).toEqual([2, PART_BYTES])

  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  const note = page.getByRole('group', { name: `The upload of ${name} isn't finished` })
  await expect(note).toContainText('paused')
  await note.locator('input[type=file]').setInputFiles(at)
  await expect.poll(() => parts.offsets.length).toBeGreaterThan(2)
  expect(parts.offsets[2]).toBe(PART_BYTES)
  await expect(row(page, name)).toBeVisible({ timeout: 120_000 })
  expect(hash(onNode(dataDir, name) ?? Buffer.alloc(0))).toBe(hash(bytes))
})
