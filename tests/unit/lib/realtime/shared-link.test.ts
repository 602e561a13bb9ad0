import { expect, test } from 'vitest'
import type { GatewayMessage } from '../../../../src/contracts/gateway/events.ts'
import { createSharedLink } from '../../../../src/lib/realtime/shared-link.ts'
import type { TabChannel, TabLock } from '../../../../src/lib/realtime/tab-channel.ts'
import { fakeSockets, manualTimers } from './manual-timers.ts'

const balance = '{"event":"balance.change","data":{"type":"order","change":990,"balance":10}}'

/** A browser with tabs: one lock with a queue, and a channel that reaches all tabs but the speaker. */
const browser = () => {
  const timers = manualTimers()
  const hearers = new Set<{ hear: (text: string) => void }>()
  const queue: { hold: () => void }[] = []
  let isSilent = false
  const lock: TabLock = (hold) => {
    const turn = { hold }
    queue.push(turn)
    if (queue[0] === turn) hold()
    return () => {
      const at = queue.indexOf(turn)
      queue.splice(at, 1)
      if (at === 0) queue[0]?.hold()
    }
  }
  const openTab = (session: () => 'go' | 'abort' = () => 'go') => {
    const sockets = fakeSockets()
    const messages: GatewayMessage[] = []
    let logouts = 0
    const me = { hear: (_text: string) => undefined as void }
    const channel: TabChannel = {
      post: (text) => {
        if (!isSilent) for (const other of hearers) if (other !== me) other.hear(text)
      },
      listen: (hear) => {
        me.hear = hear
        hearers.add(me)
      },
      close: () => void hearers.delete(me),
    }
    const link = createSharedLink({
      checkSession: async () => session(),
      address: async () => 'ws://site/api/ws/gateway?token=1',
      open: sockets.open,
      timers,
      random: () => 0,
      onMessage: (message) => messages.push(message),
      onLogout: () => {
        logouts += 1
      },
      log: () => undefined,
      channel,
      lock,
    })
    link.connect()
    return { link, sockets, messages, logouts: () => logouts }
  }
  return {
    timers,
    openTab,
    silence: () => {
      isSilent = true
    },
  }
}

const twoTabs = async () => {
  const tabs = browser()
  const first = tabs.openTab()
  await tabs.timers.advance(0)
  first.sockets.last().onOpen()
  const second = tabs.openTab()
  await tabs.timers.advance(0)
  return { ...tabs, first, second }
}

test('two tabs have one socket, one state and the same events', async () => {
  const { first, second, timers } = await twoTabs()
  await timers.advance(10_000)
  expect([first.sockets.all.length, second.sockets.all.length]).toEqual([1, 0])
  expect(second.link.state()).toBe('connected')
  first.sockets.last().onMessage(balance)
  expect(second.messages).toEqual([JSON.parse(balance)])
  expect(first.messages).toEqual(second.messages)
  first.sockets.last().onClose({ code: 1006, wasClean: false })
  expect(second.link.state()).toBe('connecting')
})

test('a tab that joins later is told the last state of each server, while the link is open', async () => {
  const state = (sid: string, word: string) =>
    `{"event":"server.state.change","data":{"sid":"01890000-0000-7000-8000-00000000000${sid}","state":"${word}"}}`
  const { first, second, openTab, timers } = await twoTabs()
  for (const text of [state('1', 'starting'), state('2', 'offline'), state('1', 'running'), balance])
    first.sockets.last().onMessage(text)
  const third = openTab()
  await timers.advance(0)
  expect(third.messages).toEqual(
    [state('1', 'running'), state('2', 'offline')].map((text): unknown => JSON.parse(text)),
  )
  expect(second.messages).toHaveLength(6)
  first.sockets.last().onClose({ code: 1006, wasClean: false })
  const fourth = openTab()
  await timers.advance(0)
  expect(fourth.messages).toEqual([])
})

test('when the holder goes the next tab connects, and reads again what it may have missed', async () => {
  const { first, second, timers } = await twoTabs()
  first.link.close()
  await timers.advance(0)
  expect(second.sockets.all).toHaveLength(1)
  second.sockets.last().onOpen()
  expect(second.link.state()).toBe('connected')
  expect(second.messages).toEqual([{ event: 'resync', data: {} }])
})

test('a tab that follows and goes takes nothing with it', async () => {
  const { first, second } = await twoTabs()
  second.link.close()
  expect(first.link.state()).toBe('connected')
  expect(first.sockets.last().isClosed()).toBe(false)
})

test('a logout ends all tabs, once each', async () => {
  const { first, second, timers } = await twoTabs()
  first.sockets.last().onMessage('{"event":"logout","data":{}}')
  await timers.advance(60_000)
  expect([first.logouts(), second.logouts()]).toEqual([1, 1])
  expect([first.link.state(), second.link.state()]).toEqual(['closed', 'closed'])
  expect([first.sockets.all.length, second.sockets.all.length]).toEqual([1, 0])
})

test('a tab that becomes visible wakes the holder in the background', async () => {
  const { first, second, timers } = await twoTabs()
  first.sockets.last().onClose({ code: 1008, wasClean: true })
  await timers.advance(60_000)
  expect(second.link.state()).toBe('closed')
  second.link.wake()
  await timers.advance(0)
  expect(first.sockets.all).toHaveLength(2)
  expect(second.sockets.all).toHaveLength(0)
})

test('a holder that does not answer is not waited for', async () => {
  const tabs = browser()
  const first = tabs.openTab()
  await tabs.timers.advance(0)
  first.sockets.last().onOpen()
  tabs.silence()
  const second = tabs.openTab()
  await tabs.timers.advance(2_999)
  expect(second.sockets.all).toHaveLength(0)
  await tabs.timers.advance(1)
  expect(second.sockets.all).toHaveLength(1)
  second.sockets.last().onOpen()
  expect(second.link.state()).toBe('connected')
  first.link.close()
  expect(second.sockets.all).toHaveLength(1)
})

test('a tab without the socket says what its person does over the one that has it', async () => {
  const { first, second, timers } = await twoTabs()
  await timers.advance(10_000)
  const sign = { ticketId: '01890000-0000-7000-8000-000000000001', sign: 'writing' } as const
  first.sockets.last().sent.length = 0
  second.link.say(sign)
  first.link.say({ ...sign, sign: 'ended' })
  expect(first.sockets.last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { event: 'ticket.sign', data: sign },
    { event: 'ticket.sign', data: { ...sign, sign: 'ended' } },
  ])
  second.link.close()
  second.link.say(sign)
  expect(first.sockets.last().sent).toHaveLength(2)
})
