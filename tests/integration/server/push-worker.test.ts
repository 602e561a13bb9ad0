import type { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PUSH_WORKER } from '../../../src/server/push-worker.ts'
import { listenWithPage } from '../../support/page-listener.ts'

let server: Server
let url: string
beforeAll(async () => {
  ;({ server, url } = await listenWithPage({ status: 200, html: '<!DOCTYPE html><p>a page</p>' }))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, method = 'GET') => fetch(`${url}${path}`, { method })

test('the push worker may load and connect to nothing, and is revalidated each time', async () => {
  const answer = await ask('/push-worker.js?a=1')
  expect([answer.status, await answer.text()]).toEqual([200, PUSH_WORKER])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers.get('service-worker-allowed')).toBeNull()
})

test('the push worker is one file at one read-only address; pages may start it', async () => {
  expect((await ask('/push-worker.js', 'POST')).status).toBe(405)
  const page = await ask('/hu/push-worker.js')
  expect(page.headers.get('content-type')).toBe('text/html')
  expect(page.headers.get('content-security-policy')).toContain("worker-src 'self';")
})
