import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { PUSH_WORKER } from '../../../src/server/push-worker.ts'

type Listener = (event: Record<string, unknown>) => void
type Shown = { title: string; options: { body: string; tag: string; lang: string; data: { page: string } } }

const ORIGIN = 'https://host.example'

/** The worker in a world of its own, which has nothing but what a push needs. */
const startWorker = (open: readonly string[] = []) => {
  const listeners = new Map<string, Listener>()
  const shown: Shown[] = []
  const opened: string[] = []
  const focused: string[] = []
  const clients = open.map((url) => ({ url, focus: () => Promise.resolve(focused.push(url)) }))
  const self = {
    location: { origin: ORIGIN, hostname: 'host.example' },
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    skipWaiting: () => Promise.resolve(),
    registration: {
      showNotification: (title: string, options: Shown['options']) => Promise.resolve(shown.push({ title, options })),
    },
    clients: {
      matchAll: () => Promise.resolve(clients),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
    },
  }
  runInContext(PUSH_WORKER, createContext({ self, URL }))
  const fire = async (name: string, event: Record<string, unknown>) => {
    const waits: Promise<unknown>[] = []
    listeners.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => void waits.push(work) })
    await Promise.all(waits)
  }
  const push = (text: string | null) => fire('push', { data: text === null ? null : { json: () => JSON.parse(text) } })
  const click = (page: string) => fire('notificationclick', { notification: { close: () => {}, data: { page } } })
  return { shown, opened, focused, push, click, names: () => [...listeners.keys()].sort() }
}

describe('the worker of pushes', () => {
  test('shows what the push says, under its tag and in its language', async () => {
    const worker = startWorker()
    const said = { title: 'Sikeres feltöltés', body: 'Megérkezett.', path: '/panel/1/console', tag: 't1', lang: 'hu' }
    await worker.push(JSON.stringify(said))
    expect(worker.shown).toEqual([
      {
        title: said.title,
        options: { body: said.body, tag: 't1', lang: 'hu', data: { page: `${ORIGIN}/panel/1/console` } },
      },
    ])
  })

  test.each([
    ['another site', 'https://evil.example/a'],
    ['another site without its protocol', '//evil.example/a'],
    ['another site by its slashes', '/\\evil.example/a'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', undefined],
  ])('leads never to %s', async (_what, path) => {
    const worker = startWorker()
    await worker.push(JSON.stringify({ title: 'a', path }))
    expect(worker.shown[0]?.options.data.page).toBe(`${ORIGIN}/dashboard/summary`)
  })

  test.each([null, 'no json', 'null', '{"title":7}'])('shows something whatever came: %s', async (text) => {
    const worker = startWorker()
    await worker.push(text)
    expect(worker.shown).toMatchObject([{ title: 'host.example' }])
  })

  test('opens the page, or shows the one that is open', async () => {
    const page = `${ORIGIN}/dashboard/balance/summary`
    const none = startWorker([`${ORIGIN}/dashboard/summary`])
    await none.click(page)
    expect([none.opened, none.focused]).toEqual([[page], []])
    const some = startWorker([page])
    await some.click(page)
    expect([some.opened, some.focused]).toEqual([[], [page]])
  })

  test('opens a page of its own site, whatever a shown push holds', async () => {
    const worker = startWorker(['https://evil.example/dashboard/summary'])
    await worker.click('https://evil.example/dashboard/summary')
    expect([worker.opened, worker.focused]).toEqual([[`${ORIGIN}/dashboard/summary`], []])
  })

  test('takes no request of any page, and keeps nothing', () => {
    expect(startWorker().names()).toEqual(['install', 'notificationclick', 'push'])
    expect(PUSH_WORKER).not.toMatch(/caches|indexedDB|fetch|importScripts/)
  })
})
