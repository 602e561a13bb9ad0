import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../src/lib/api-client/failure.ts'
import { createPanelLink, socketAddress, troubleOf } from '../../../../src/features/console/panel-link.ts'
import type { PanelLinkState } from '../../../../src/features/console/panel-link.ts'
import { fakeSockets, manualTimers } from '../realtime/manual-timers.ts'

const failure = (code: 'NOT_FOUND' | 'NODE_UNREACHABLE' | 'FORBIDDEN' | 'OFFLINE', status: number) =>
  new ApiFailure({ code, status, message: code })

const build = (access: () => Promise<void> = () => Promise.resolve()) => {
  const timers = manualTimers()
  const sockets = fakeSockets()
  const states: PanelLinkState[] = []
  let tokens = 0
  let lastSeq = 0
  const link = createPanelLink({
    access: async () => {
      await access()
      tokens += 1
      return { token: `t${tokens}`, socket: '/servers/s1/ws', url: 'http://node.test:8080' }
    },
    pageAddress: 'http://site.test/panel/s1/console',
    open: sockets.open,
    timers,
    lastSeq: () => lastSeq,
    onMessage: () => undefined,
    onState: (state) => states.push(state),
  })
  const hear = (message: unknown) => sockets.last().onMessage(JSON.stringify(message))
  const authorise = () => hear({ event: 'auth success', args: [{ firstSeq: 1, lastSeq: 9 }] })
  return { link, timers, sockets, states, hear, authorise, hold: (seq: number) => (lastSeq = seq) }
}

test.each([
  ['http://node.test:8080', 'ws://node.test:8080/servers/s1/ws'],
  ['https://node.test', 'wss://node.test/servers/s1/ws'],
  ['https://node.test/base/', 'wss://node.test/base/servers/s1/ws'],
  ['/api/node/n1', 'ws://site.test/api/node/n1/servers/s1/ws'],
  ['', 'ws://site.test/servers/s1/ws'],
])('the address on %j', (url, expected) => {
  expect(socketAddress({ url, socket: '/servers/s1/ws' }, 'http://site.test/panel')).toBe(expected)
})

test('the first message is auth; it is live only after the answer', async () => {
  const { link, timers, sockets, states, authorise } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  expect(sockets.last().sent).toEqual(['{"event":"auth","args":["t1"]}'])
  expect(link.send({ event: 'send command', args: ['list'] })).toBe(false)
  authorise()
  expect(states.at(-1)).toEqual({ kind: 'live' })
  expect(link.send({ event: 'send command', args: ['list'] })).toBe(true)
})

test('a lost link resumes after the last line with a fresh token, and sends nothing meanwhile', async () => {
  const { link, timers, sockets, states, authorise, hold } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  authorise()
  hold(42)
  sockets.last().onClose({ code: 1012, wasClean: true })
  expect(link.send({ event: 'send command', args: ['list'] })).toBe(false)
  expect(states.at(-1)).toEqual({ kind: 'waiting', trouble: 'connection', attempt: 1 })
  await timers.advance(1_000)
  sockets.last().onOpen()
  expect(sockets.last().sent).toEqual(['{"event":"auth","args":["t2",42]}'])
})

test.each(['token expiring', 'token expired'])('%s brings a fresh token on the same socket', async (event) => {
  const { link, timers, sockets, hear, authorise, hold } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  authorise()
  hold(7)
  hear({ event })
  await timers.advance(0)
  expect(sockets.all).toHaveLength(1)
  expect(sockets.last().sent.at(-1)).toBe('{"event":"auth","args":["t2",7]}')
})

test('after the last attempt only the page can begin again', async () => {
  const { link, timers, sockets, states } = build()
  link.connect()
  await timers.advance(0)
  for (let attempt = 0; attempt <= 10; attempt += 1) {
    sockets.last().onClose({ code: 1006, wasClean: false })
    await timers.advance(8_000)
  }
  expect(states.at(-1)).toEqual({ kind: 'failed' })
  expect(timers.pending()).toEqual([])
})

test.each([
  [4401, 'ended'],
  [4403, 'forbidden'],
  [4409, 'forbidden'],
])('close code %i is a refusal: %s', async (code, trouble) => {
  const { link, timers, sockets, states } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onClose({ code, wasClean: true })
  expect(states.at(-1)).toEqual({ kind: 'refused', trouble })
  expect(timers.pending()).toEqual([])
})

test('an unknown server is final, a machine that is away is tried again', async () => {
  const unknown = build(() => Promise.reject(failure('NOT_FOUND', 404)))
  unknown.link.connect()
  await unknown.timers.advance(60_000)
  expect(unknown.states.at(-1)).toEqual({ kind: 'refused', trouble: 'invalid' })
  const away = build(() => Promise.reject(failure('NODE_UNREACHABLE', 503)))
  away.link.connect()
  await away.timers.advance(0)
  expect(away.states.at(-1)).toEqual({ kind: 'waiting', trouble: 'maintenance', attempt: 1 })
})

test('what a failed request means', () => {
  expect(troubleOf(failure('FORBIDDEN', 403))).toEqual({ trouble: 'forbidden', final: true })
  expect(troubleOf(failure('OFFLINE', 0))).toEqual({ trouble: 'connection', final: false })
  expect(troubleOf(new Error('other'))).toEqual({ trouble: 'connection', final: false })
})

test('a closed link stays closed', async () => {
  const { link, timers, sockets } = build()
  link.connect()
  await timers.advance(0)
  link.close()
  link.wake()
  await timers.advance(60_000)
  expect(sockets.all).toHaveLength(1)
})
