import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openSite, SITE } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

let site: OpenSite
beforeAll(async () => {
  site = await openSite('http://127.0.0.1:9')
})
afterAll(() => site.close())

let address = 0
const ask = (body: unknown, headers: Record<string, string> = {}) => {
  address += 1
  const sent = {
    'content-type': 'application/json',
    'x-bakter-address': `10.0.${address}.1`,
    'x-request-id': 'request-of-the-test',
    ...headers,
  }
  const request = new Request(`${SITE}/api/error-report`, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  return site.send(request)
}

describe('an error report of a browser', () => {
  const report = {
    reportId: '0b54a2f4-6d3c-4f0e-9a51-0d3d4f9f4d11',
    name: 'TypeError',
    message: 'panni@example.test is not a function\n{"level":60}',
    stack: 'at draw (https://bakter.test/_next/static/chunks/1234.js?dpl=x:1:2)',
    page: '/panel/01900000-0000-7000-8000-00000000dead/console?token=secret',
  }
  const lines: Record<string, unknown>[] = []
  const listen = () => {
    lines.length = 0
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      lines.push(
        ...String(text)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      )
      return true
    })
    return () => write.mockRestore()
  }

  test('it is logged as one line under its id, without personal data', async () => {
    const stop = listen()
    const response = await ask(report)
    stop()
    expect([response.status, response.headers.getSetCookie()]).toEqual([202, []])
    expect(lines).toEqual([
      {
        level: 40,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        program: 'site',
        requestId: 'request-of-the-test',
        reportId: report.reportId,
        claimed: {
          name: 'TypeError',
          message: '<address> is not a function\n{"level":60}',
          stack: 'at draw (https://bakter.test/_next/static/chunks/1234.js:1:2)',
          page: '/panel/<id>/console',
        },
        msg: 'a browser reports an error',
      },
    ])
  })

  test.each([
    ['with an id of its own form', { ...report, reportId: '../../etc' }, 400],
    ['with more fields', { ...report, user: 'panni' }, 400],
    ['with a long message', { ...report, message: 'x'.repeat(301) }, 400],
    ['that is too large to be read', { ...report, stack: 'x'.repeat(9_000) }, 413],
  ])('%s is refused and leaves no line', async (_name, body, status) => {
    const stop = listen()
    const response = await ask(body)
    stop()
    expect([response.status, lines]).toEqual([status, []])
  })

  test('reports of foreign pages are refused, and those of one address are limited', async () => {
    const stop = listen()
    const foreign = await ask(report, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    // At once: one more is heard every 6 s.
    const headers = { 'x-bakter-address': '203.0.113.77' }
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(report, headers)))
    stop()
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(202), 429, 429])
    expect(lines).toHaveLength(10)
  })
})
