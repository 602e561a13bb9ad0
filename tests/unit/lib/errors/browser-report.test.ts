import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { ErrorReport } from '#contracts/http/error-report.ts'

const load = () => import('../../../../src/lib/errors/browser-report.ts')
let asked: { path: string; init: RequestInit }[]
let answer: () => Promise<Response>

beforeEach(() => {
  vi.resetModules()
  asked = []
  answer = () => Promise.resolve(new Response('{}', { status: 202 }))
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    asked.push({ path, init })
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

test('an error has one id however often it is drawn, and is told once under it', async () => {
  const { browserReportId, sendBrowserReport } = await load()
  const error = new Error('broken')
  const id = browserReportId(error)
  expect(browserReportId(error)).toBe(id)
  expect(browserReportId(new Error('broken'))).not.toBe(id)
  sendBrowserReport(error, '/dashboard/summary')
  sendBrowserReport(error, '/dashboard/summary')
  expect(asked).toHaveLength(1)
  expect(ErrorReport.parse(JSON.parse(String(asked[0]?.init.body)))).toMatchObject({
    reportId: id,
    message: 'broken',
    page: '/dashboard/summary',
  })
  // No session goes with it, and it survives the page.
  expect(asked[0]).toMatchObject({ path: '/api/error-report', init: { credentials: 'omit', keepalive: true } })
})

test('a page that breaks again and again is told five times', async () => {
  const { sendBrowserReport } = await load()
  for (let at = 0; at < 20; at += 1) sendBrowserReport(new Error(String(at)), '/')
  expect(asked).toHaveLength(5)
})

test('the outcome of a report changes nothing on the page', async () => {
  const { sendBrowserReport } = await load()
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  expect(() => sendBrowserReport(new Error('one'), '/')).not.toThrow()
  answer = () => {
    throw new Error('blocked')
  }
  expect(() => sendBrowserReport(new Error('two'), '/')).not.toThrow()
})
