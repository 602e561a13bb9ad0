import { expect, test } from 'vitest'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { createPanelLink, isInsecure, socketAddress, troubleOf } from '../../../../src/features/console/panel-link.ts'
import type { PanelLinkState } from '../../../../src/features/console/panel-link.ts'
import { fakeSockets, manualTimers } from '../../lib/realtime/manual-timers.ts'

const failure = (
  code: 'NOT_FOUND' | 'NODE_UNREACHABLE' | 'FORBIDDEN' | 'SERVER_SUSPENDED' | 'OFFLINE',
  status: number,
) => new ApiFailure({ code, status, message: code })

type Facts = { access?: () => Promise<void>; pageAddress?: string; random?: number }
const build = ({
  access = () => Promise.resolve(),
  pageAddress = 'http://site.test/panel/s1/console',
  random = 0,
}: Facts = {}) => {
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
    pageAddress,
    open: sockets.open,
    timers,
    random: () => random,
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

test('the handshake carries the token as a subprotocol, behind the name that the node echoes', async () => {
  const { link, timers, sockets } = build()
  link.connect()
  await timers.advance(0)
  expect(sockets.last().protocols).toEqual(['bakter', 'bakter.token.t1'])
  expect(sockets.last().address).not.toContain('t1')
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
  [4400, 'protocol'],
  [4401, 'ended'],
  [4403, 'forbidden'],
  [4404, 'invalid'],
  [4408, 'slow'],
  [4409, 'suspended'],
  [4429, 'tooMany'],
])('close code %i is a refusal: %s', async (code, trouble) => {
  const { link, timers, sockets, states } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onClose({ code, wasClean: true })
  expect(states.at(-1)).toEqual({ kind: 'refused', trouble })
  expect(timers.pending()).toEqual([])
})

test('an unknown server is final, a machine that is away is tried again', async () => {
  const unknown = build({ access: () => Promise.reject(failure('NOT_FOUND', 404)) })
  unknown.link.connect()
  await unknown.timers.advance(60_000)
  expect(unknown.states.at(-1)).toEqual({ kind: 'refused', trouble: 'invalid' })
  const away = build({ access: () => Promise.reject(failure('NODE_UNREACHABLE', 503)) })
  away.link.connect()
  await away.timers.advance(0)
  expect(away.states.at(-1)).toEqual({ kind: 'waiting', trouble: 'maintenance', attempt: 1 })
})

test('a failed request ends the link without the permission or under a suspension, and is tried again otherwise', () => {
  expect(troubleOf(failure('FORBIDDEN', 403))).toEqual({ trouble: 'forbidden', final: true })
  expect(troubleOf(failure('SERVER_SUSPENDED', 403))).toEqual({ trouble: 'suspended', final: true })
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

test('chance shortens a delay by up to a quarter, so that not all come back at once', async () => {
  const { link, timers, sockets } = build({ random: 1 })
  link.connect()
  await timers.advance(0)
  sockets.last().onClose({ code: 1012, wasClean: true })
  await timers.advance(749)
  expect(sockets.all).toHaveLength(1)
  await timers.advance(1)
  expect(sockets.all).toHaveLength(2)
})

test.each([
  ['http://node.test:8080', 'https://site.test/panel', true],
  ['https://node.test', 'https://site.test/panel', false],
  ['/api/node/n1', 'https://site.test/panel', false],
  ['', 'https://site.test/panel', false],
  ['http://127.0.0.1:8080', 'https://site.test/panel', false],
  ['http://node.test:8080', 'http://site.test/panel', false],
])('a machine at %j for a page at %s is insecure: %s', (url, page, expected) => {
  expect(isInsecure({ url }, page)).toBe(expected)
})

test('a page of https opens no socket of http: it says so at once', async () => {
  const { link, timers, sockets, states } = build({ pageAddress: 'https://site.test/panel/s1/console' })
  link.connect()
  await timers.advance(60_000)
  expect(sockets.all).toHaveLength(0)
  expect(states.at(-1)).toEqual({ kind: 'refused', trouble: 'insecure' })
})
