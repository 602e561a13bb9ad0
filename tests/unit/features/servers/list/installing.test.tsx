// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { Installing } from '@/features/servers/list/installing.tsx'
import { shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})
const show = (startedAt: Date) => {
  const server = { status: 'installing', installation: { startedAt: startedAt.toISOString() } } as unknown as Server
  page = shownPage(<Installing server={server} />, {})
}

it('an installation says its time, and its day where that is not today', async () => {
  const now = new Date()
  show(now)
  expect((await page.see('span', 'since')).textContent).toMatch(/^since \d\d:\d\d$/u)
  page.close()
  const earlier = new Date(now.getTime() - 3 * 24 * 3_600_000)
  show(earlier)
  const said = (await page.see('span', 'since')).textContent
  expect(said).toMatch(/\d\d:\d\d$/u)
  expect(said).toContain(
    new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'Europe/Budapest' }).format(earlier),
  )
})
