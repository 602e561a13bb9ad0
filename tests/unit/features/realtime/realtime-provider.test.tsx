// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { RealtimeProvider } from '../../../../src/features/realtime/realtime-provider.tsx'
import { keys } from '../../../../src/lib/queries/queries.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'

const link = vi.hoisted(() => ({ state: 'connecting' }))
vi.mock('@/lib/realtime/open-link.ts', () => ({
  openLink: () => ({ link: { state: () => link.state, say: () => {} }, close: () => {} }),
}))

test('events between the first read of a page and its link are read once the link is open', async () => {
  const client = new QueryClient()
  client.setQueryData(keys.notifications, [])
  shownPage(
    <QueryClientProvider client={client}>
      <RealtimeProvider>a page</RealtimeProvider>
    </QueryClientProvider>,
    {},
  )
  expect(client.getQueryState(keys.notifications)?.isInvalidated).toBe(false)
  link.state = 'connected'
  await eventually(() => expect(client.getQueryState(keys.notifications)?.isInvalidated).toBe(true))
})
