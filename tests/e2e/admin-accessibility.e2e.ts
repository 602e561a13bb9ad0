import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { signInByApi } from '../support/journey.ts'
import { sliceOf } from '../support/slice.ts'
import { expect, test } from './test.ts'

// The admin's views are Payload's: what is wrong in them today is recorded, and anything beyond it fails. After an update of
// Payload, `npm run test:e2e -- admin-accessibility --update-snapshots` records again.
const BASELINE = fileURLToPath(new URL('../fixtures/admin-accessibility.json', import.meta.url))

/** Rule -> number of elements that break it. */
type Findings = Record<string, number>

const COLLECTIONS = [
  'users',
  'roles',
  'ticket-categories',
  'canned-replies',
  'services',
  'packages',
  'templates',
  'computers',
  'news',
  'guides',
  'posts',
  'known-errors',
  'global-messages',
  'media',
]
const GLOBALS = ['landing', 'navigation', 'documents', 'settings']

const firstId = async (page: Page, collection: string): Promise<string | undefined> => {
  const answer = await page.request.get(`/api/cms/${collection}?limit=1&depth=0&sort=createdAt`)
  return ((await answer.json()) as { docs: { id: string }[] }).docs[0]?.id
}

const viewsOf = async (page: Page): Promise<Record<string, string>> => {
  const views: Record<string, string> = { dashboard: '/admin' }
  for (const name of COLLECTIONS) {
    // One row, the oldest: what other tests add changes no count.
    views[`${name} list`] = `/admin/collections/${name}?limit=1&sort=createdAt`
    // Accounts are made by registration alone.
    if (name !== 'users') views[`${name} create`] = `/admin/collections/${name}/create`
    const id = await firstId(page, name)
    if (id !== undefined) views[`${name} edit`] = `/admin/collections/${name}/${id}`
  }
  for (const name of GLOBALS) views[`${name} global`] = `/admin/globals/${name}`
  return views
}

const findingsOf = async (page: Page, path: string): Promise<Findings> => {
  await page.goto(path, { waitUntil: 'load' })
  await expect(page.locator('.dashboard, .collection-list, .collection-edit, .global-edit').first()).toBeVisible()
  // Fields, rich text and rows come after the page.
  await page.waitForLoadState('networkidle')
  await expect(page.locator('.loading-overlay, .shimmer-effect').filter({ visible: true })).toHaveCount(0)
  const found = await axeFindings(page)
  return Object.fromEntries(found.map(({ id, nodes }) => [id, nodes.length]))
}

const beyond = (view: string, found: Findings, known: Findings): string[] =>
  Object.entries(found)
    .filter(([rule, count]) => count > (known[rule] ?? 0))
    .map(([rule, count]) => `${view}: ${rule} on ${count} elements, recorded are ${known[rule] ?? 0}`)

test("axe finds nothing new in the admin's views", async ({ page, demo }, { config }) => {
  test.setTimeout(480_000)
  await signInByApi(page, demo.admin)
  const found: Record<string, Findings> = {}
  const views = Object.entries(await viewsOf(page))
  // They change with Payload alone: a run takes a third of them, in turn.
  for (const [view, path] of sliceOf(views, 3)) found[view] = await findingsOf(page, path)
  if (['all', 'changed'].includes(config.updateSnapshots)) {
    writeFileSync(BASELINE, `${JSON.stringify(found, null, 2)}\n`)
  }
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as Record<string, Findings>
  expect(views.map(([view]) => view).toSorted()).toEqual(Object.keys(baseline).toSorted())
  expect(Object.entries(found).flatMap(([view, rules]) => beyond(view, rules, baseline[view] ?? {}))).toEqual([])
})
