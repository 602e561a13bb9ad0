import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorReport } from '#contracts/http/error-report.ts'
import { tellOfLostLink } from '../../../../src/lib/realtime/lost-link.ts'
import { expectConsole } from '../../../setup/fail-on-console.ts'

const asked: { path: string; body: string }[] = []
beforeEach(() => {
  asked.length = 0
  vi.stubGlobal('window', { console, location: { pathname: '/panel/abc/console' } })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    asked.push({ path, body: String(init.body) })
    return Promise.resolve(new Response('{}', { status: 202 }))
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a link that does not come back leaves a line in the console and one in the log of the site', () => {
  expectConsole('warn', 'The link is gone.')
  tellOfLostLink('The link is gone.')
  expect(asked.map(({ path }) => path)).toEqual(['/api/error-report'])
  expect(ErrorReport.parse(JSON.parse(asked[0]?.body ?? ''))).toMatchObject({
    name: 'LinkLost',
    message: 'The link is gone.',
    page: '/panel/abc/console',
  })
})
