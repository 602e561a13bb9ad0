// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { isNoServer, useServer } from '@/lib/servers/use-server.ts'
import { listedServer } from '../../../support/listed-servers.ts'
import { eventually, refused, shownPage, type ShownPage } from '../../../support/shown-page.tsx'

const server = listedServer(1, { name: 'Watchman' })
let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  vi.unstubAllGlobals()
})

const Name = () => {
  const { data, error } = useServer(server.id)
  return <p>{data?.name ?? (isNoServer(error) ? 'gone' : 'loading')}</p>
}
const show = (answers: { list: () => Response; own: () => Response }) =>
  shownPage(<Name />, { 'GET /api/user/servers': answers.list, [`GET /api/server/${server.id}`]: answers.own })

it('a server that is no longer there for its reader is gone from an open page, though it was read before', async () => {
  let isThere = true
  page = show({
    list: () => Response.json(isThere ? [server] : []),
    own: () => (isThere ? Response.json(server) : refused('NOT_FOUND')),
  })
  await page.see('p', 'Watchman')
  isThere = false
  await page.client.invalidateQueries()
  await page.see('p', 'gone')
  expect(page.text()).toBe('gone')
})

it('a failed reading leaves what was read before', async () => {
  let works = true
  page = show({
    list: () => Response.json([]),
    own: () => (works ? Response.json(server) : refused('INTERNAL')),
  })
  await page.see('p', 'Watchman')
  works = false
  await page.client.invalidateQueries()
  const { calls, text } = page
  await eventually(() => expect(calls.filter(({ name }) => name.includes('/api/server/'))).toHaveLength(2))
  expect(text()).toBe('Watchman')
})

it('right after an order the list has the server, whatever its own reading says', async () => {
  page = show({ list: () => Response.json([server]), own: () => refused('NOT_FOUND') })
  await page.see('p', 'Watchman')
  expect(page.text()).toBe('Watchman')
})
