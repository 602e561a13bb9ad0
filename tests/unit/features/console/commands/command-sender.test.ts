import { expect, test } from 'vitest'
import { createCommandSender, fitsLimit } from '../../../../../src/features/console/commands/command-sender.ts'
import type { PanelClientMessage } from '#contracts/panel/messages.ts'
import { manualTimers } from '../../../lib/realtime/manual-timers.ts'

const build = () => {
  const timers = manualTimers()
  const sent: string[] = []
  const taken: string[] = []
  const shown: string[] = []
  let isLive = true
  let ids = 0
  const sender = createCommandSender({
    send: (message: PanelClientMessage) => {
      if (isLive && message.event === 'send command') sent.push(message.args[0])
      return isLive
    },
    timers,
    newId: () => `c${(ids += 1)}`,
    onSent: (command) => shown.push(command),
    onTaken: (command) => taken.push(command),
  })
  const accept = () => sender.hear({ event: 'command accepted', args: [`c${ids}`] })
  return { sender, timers, sent, shown, taken, accept, goOffline: () => (isLive = false) }
}

test('a command is done once the node took it', () => {
  const { sender, sent, taken, accept } = build()
  sender.submit(['list'])
  expect([sent, taken, sender.get().sending]).toEqual([['list'], [], { done: 0, of: 1 }])
  sender.hear({ event: 'command accepted', args: ['of-another-tab'] })
  expect(taken).toEqual([])
  accept()
  expect([taken, sender.get()]).toEqual([['list'], { sending: null, failure: null }])
})

test('a command is shown once when it goes out, before the node has taken it; one that could not be sent is not', async () => {
  const { sender, timers, shown, taken, goOffline } = build()
  sender.submit(['list'])
  expect([shown, taken]).toEqual([['list'], []])
  sender.hear({ event: 'throttled', args: ['send command'] })
  await timers.advance(2_000)
  expect(shown).toEqual(['list'])
  sender.lost()
  goOffline()
  sender.submit(['help'])
  expect(shown).toEqual(['list'])
})

test('a paste goes out line by line, each after the one before, and slows down before the node would refuse', async () => {
  const { sender, timers, sent, accept } = build()
  sender.submit(Array.from({ length: 10 }, (_, index) => `say ${index}`))
  expect(sent).toHaveLength(1)
  for (let index = 0; index < 8; index += 1) accept()
  expect(sent).toHaveLength(8)
  await timers.advance(1_100)
  expect(sent).toHaveLength(9)
  accept()
  await timers.advance(1_100)
  accept()
  expect(sender.get().sending).toBeNull()
})

test.each([
  ['NOT_RUNNING', 'notRunning'],
  ['FORBIDDEN console.command', 'forbidden'],
  ['NOT_READING', 'notReading'],
  ['LINE_BREAK', 'refused'],
])('a refusal with %s keeps the command and the rest, with a reason', (code, reason) => {
  const { sender, sent } = build()
  sender.submit(['a', 'b', 'c'])
  sender.hear({ event: 'daemon error', args: [code] })
  expect(sender.get()).toEqual({ sending: null, failure: { command: 'a', rest: ['b', 'c'], reason } })
  expect(sent).toEqual(['a'])
})

test('without a link nothing is queued', () => {
  const { sender, sent, goOffline } = build()
  goOffline()
  sender.submit(['a'])
  expect(sender.get().failure).toEqual({ command: 'a', rest: [], reason: 'notLive' })
  expect(sent).toEqual([])
})

test('a link that is lost before the answer says so, and sends nothing later', async () => {
  const { sender, timers, sent } = build()
  sender.submit(['a', 'b'])
  sender.lost()
  expect(sender.get().failure).toEqual({ command: 'a', rest: ['b'], reason: 'lost' })
  await timers.advance(60_000)
  expect(sent).toEqual(['a'])
})

test('a node that says nothing is not waited for without end', async () => {
  const { sender, timers } = build()
  sender.submit(['a'])
  await timers.advance(8_000)
  expect(sender.get().failure?.reason).toBe('noAnswer')
})

test('a throttled command is sent again a little later, and given up in the end', async () => {
  const { sender, timers, sent } = build()
  sender.submit(['a'])
  for (let refusal = 0; refusal < 5; refusal += 1) {
    sender.hear({ event: 'throttled', args: ['send command'] })
    await timers.advance(1_100)
  }
  expect(sent).toHaveLength(6)
  sender.hear({ event: 'throttled', args: ['global'] })
  expect(sender.get().failure?.reason).toBe('tooMany')
})

test('a stopped paste keeps what did not go out', async () => {
  const { sender, sent, accept, timers } = build()
  sender.submit(Array.from({ length: 10 }, (_, index) => `say ${index}`))
  for (let index = 0; index < 8; index += 1) accept()
  sender.stop()
  await timers.advance(60_000)
  expect(sent).toHaveLength(8)
  expect(sender.get().failure).toEqual({ command: 'say 8', rest: ['say 9'], reason: 'stopped' })
})

test('the limit counts bytes, with the frame around the command', () => {
  expect(fitsLimit('a'.repeat(3_900))).toBe(true)
  expect(fitsLimit('a'.repeat(4_096))).toBe(false)
  expect(fitsLimit('ű'.repeat(2_100))).toBe(false)
})

test('a command that is too long is never sent', () => {
  const { sender, sent } = build()
  sender.submit(['a'.repeat(5_000)])
  expect([sent, sender.get().failure?.reason]).toEqual([[], 'tooLong'])
})
