// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'
import type { Server } from '#contracts/http/server.ts'
import { EntryDetails } from '../../../../../src/features/activities/server/entry-details.tsx'
import { shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const server = { id: '01a3c0f2-0000-7000-8000-000000000001', permissions: [] as const } as unknown as Server
const crash = (facts: ServerActivity['facts']): ServerActivity => ({
  id: '01a3c0f2-0000-7000-8000-000000000002',
  type: 'server:crashed',
  group: 'state',
  status: 'success',
  date: '2026-11-30T10:00:00.000Z',
  way: null,
  actor: 'server',
  detail: '',
  facts,
  missing: null,
  ipAddress: null,
  place: '',
})
const staffError = { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' }

test.each([
  ['one of ours', { error: 'out-of-memory' }, 'Known problem: The server ran out of memory'],
  ['a rule of staff', { staffError }, 'Known problem: The oven is cold'],
])('a crash names its known error: %s', async (_which, facts, words) => {
  page = shownPage(<EntryDetails entry={crash(facts)} server={server} />, {})
  expect((await page.see('span', 'Known problem')).textContent).toBe(words)
})

test('a request that SFTP refused names the permission in words, and is no link to a file', async () => {
  const denied = { ...crash({}), type: 'server:sftp.denied', group: 'files' as const, detail: 'file.update' }
  page = shownPage(<EntryDetails entry={denied} server={{ ...server, permissions: ['file.list'] }} />, {})
  expect((await page.see('span', 'Edit files')).className).toBe('act-text')
  expect(page.find('a')).toBeUndefined()
})

test('an error that only a newer system knows is not named', async () => {
  page = shownPage(<EntryDetails entry={crash({ error: 'of-next-year', reason: 'a reason' })} server={server} />, {})
  await page.see('span', 'Reason: a reason')
  expect(page.text()).not.toContain('Known problem')
})
