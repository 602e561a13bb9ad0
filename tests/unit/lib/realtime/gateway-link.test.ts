import { expect, test } from 'vitest'
import type { GatewayMessage } from '../../../../src/contracts/gateway/events.ts'
import { createGatewayLink } from '../../../../src/lib/realtime/gateway-link.ts'
import { fakeSockets, manualTimers } from './manual-timers.ts'

const build = (session: () => 'go' | 'abort' = () => 'go', random = 0) => {
  const timers = manualTimers()
  const sockets = fakeSockets()
  const messages: GatewayMessage[] = []
  const logs: string[] = []
  let checks = 0
  let tickets = 0
  let logouts = 0
  const link = createGatewayLink({
    checkSession: async () => {
      checks += 1
      return session()
    },
    address: async () => {
      tickets += 1
      return `ws://site/api/ws/gateway?token=${tickets}`
    },
    open: sockets.open,
    timers,
    random: () => random,
    onMessage: (message) => messages.push(message),
    onLogout: () => {
      logouts += 1
    },
    log: (text) => logs.push(text),
  })
  return { link, timers, sockets, messages, logs, checks: () => checks, logouts: () => logouts }
}

test('it is connecting until the socket opens, and each attempt checks the session and takes a new ticket', async () => {
  const { link, timers, sockets, checks } = build()
  expect(link.state()).toBe('closed')
  link.connect()
  await timers.advance(0)
  expect(link.state()).toBe('connecting')
  sockets.last().onOpen()
  expect(link.state()).toBe('connected')
  sockets.last().onClose({ code: 1006, wasClean: false })
  expect(link.state()).toBe('connecting')
  await timers.advance(999)
  expect(sockets.all).toHaveLength(1)
  await timers.advance(1)
  expect(sockets.all).toHaveLength(2)
  expect(checks()).toBe(2)
  expect(sockets.last().address).toContain('token=2')
})

test('a session that is over aborts the link for good', async () => {
  const { link, timers, sockets } = build(() => 'abort')
  link.connect()
  await timers.advance(60_000)
  link.wake()
  await timers.advance(60_000)
  expect(sockets.all).toHaveLength(0)
  expect(link.state()).toBe('closed')
})

test('after ten failed attempts it closes and says so in the log; a visible page begins again', async () => {
  const { link, timers, sockets, logs } = build()
  link.connect()
  await timers.advance(0)
  for (let attempt = 0; attempt <= 10; attempt += 1) {
    sockets.last().onClose({ code: 1006, wasClean: false })
    await timers.advance(8_000)
  }
  expect(sockets.all).toHaveLength(11)
  expect(link.state()).toBe('closed')
  expect(logs).toHaveLength(1)
  link.wake()
  await timers.advance(0)
  expect(sockets.all).toHaveLength(12)
})

test('a success sets the back-off to its start', async () => {
  const { link, timers, sockets } = build()
  link.connect()
  await timers.advance(0)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    sockets.last().onClose({ code: 1006, wasClean: false })
    await timers.advance(8_000)
  }
  sockets.last().onOpen()
  sockets.last().onClose({ code: 1001, wasClean: true })
  expect(timers.pending()).toEqual([1_000])
})

test('attempts are spread over a quarter of their delay', async () => {
  const { link, timers, sockets } = build(() => 'go', 1)
  link.connect()
  await timers.advance(0)
  sockets.last().onClose({ code: 1006, wasClean: false })
  expect(timers.pending()).toEqual([750])
})

test('it answers a ping, hands events on, and ignores what it does not know', async () => {
  const { link, timers, sockets, messages } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  sockets.last().onMessage('{"event":"ping","data":{}}')
  sockets.last().onMessage('{"event":"of tomorrow","data":{}}')
  sockets.last().onMessage('not json')
  sockets.last().onMessage('{"event":"balance.change","data":{"type":"order","change":990,"balance":10}}')
  expect(sockets.last().sent).toEqual(['{"event":"pong"}'])
  expect(messages).toEqual([{ event: 'balance.change', data: { type: 'order', change: 990, balance: 10 } }])
})

test('a balance that moved for an unknown reason changes nothing, and is read again', async () => {
  const { link, timers, sockets, messages } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  sockets.last().onMessage('{"event":"balance.change","data":{"type":"lottery","change":990,"balance":1000000}}')
  sockets.last().onMessage('{"event":"balance.change"}')
  const readAgain = { event: 'resync', data: {} }
  expect(messages).toEqual([readAgain, readAgain])
})

test('logout is the last event: the link closes and does not come back', async () => {
  const { link, timers, sockets, logouts } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  sockets.last().onMessage('{"event":"logout","data":{}}')
  sockets.last().onClose({ code: 1006, wasClean: false })
  link.wake()
  await timers.advance(60_000)
  expect(logouts()).toBe(1)
  expect(sockets.all).toHaveLength(1)
  expect(link.state()).toBe('closed')
})

test('a socket that is silent for more than two pings is replaced', async () => {
  const { link, timers, sockets } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  await timers.advance(44_000)
  expect(sockets.all).toHaveLength(1)
  await timers.advance(2_000)
  expect(sockets.all[0]?.isClosed()).toBe(true)
  expect(sockets.all).toHaveLength(2)
})

test('a link that came back asks the page to read again; the first connection does not', async () => {
  const { link, timers, sockets, messages } = build()
  link.connect()
  await timers.advance(0)
  sockets.last().onOpen()
  expect(messages).toEqual([])
  sockets.last().onClose({ code: 1012, wasClean: true })
  await timers.advance(1_000)
  sockets.last().onOpen()
  expect(messages).toEqual([{ event: 'resync', data: {} }])
})
