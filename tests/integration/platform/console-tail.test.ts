import { expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { readConsoleTail } from '../../../control-plane/servers/nodes/console-tail.ts'
import { hubsOfFile } from '../../factories/hub.ts'

const { open, newAgent, onEnd } = hubsOfFile()
/** However busy the machine is, a node that answers is heard within it. */
const LONG_MS = 30_000
const TOKEN = ['ghp', 'a'.repeat(36)].join('_')

it('A30 a console is read through the process that holds the node, and redacted before another process sees it', async () => {
  const [holder, asker] = [await open(), await open()]
  const agent = await newAgent()
  const serverId = systemIds.next()
  const { nodeId } = agent.identity
  agent.tails.set(serverId, { atMs: 5, lines: ['Done', `key ${TOKEN}`, '', 'x'.repeat(1_900)] })
  onEnd(agent.obey(await agent.connectLive(holder.accept)))
  const heard: unknown[] = []
  asker.bus.onEvent(({ data }) => void heard.push(data))
  const tail = await readConsoleTail({ ...asker.context, bus: asker.bus }, { nodeId, serverId }, LONG_MS)
  expect(tail).toEqual({ atMs: 5, lines: ['Done', 'key [token]', 'x'.repeat(400)] })
  expect(JSON.stringify(heard)).not.toContain(TOKEN)
  // A server without lines, or of another node.
  const none = { nodeId, serverId: systemIds.next() }
  expect(await readConsoleTail({ ...asker.context, bus: asker.bus }, none, LONG_MS)).toBe('empty')
})

it('A30 neither a node that is away nor an agent of the release before is waited for', async () => {
  const { accept, bus, context } = await open()
  const agent = await newAgent()
  const { nodeId } = agent.identity
  const asked: string[] = []
  bus.onEvent(({ topic }) => void asked.push(topic))
  const read = () => readConsoleTail({ ...context, bus }, { nodeId, serverId: systemIds.next() }, LONG_MS)
  expect(await read()).toBe('away')
  agent.capabilities = ['reinstall.wipe']
  await agent.connectLive(accept)
  expect(await read()).toBe('away')
  expect(asked).not.toContain('console-tail-asked')
})

it('A30 an answer of another node counts for nothing, and silence is told as away', async () => {
  const { accept, bus, context } = await open()
  const [agent, other] = [await newAgent(), await newAgent()]
  const peer = await agent.connectLive(accept)
  const otherPeer = await other.connectLive(accept)
  const read = readConsoleTail({ ...context, bus }, { nodeId: agent.identity.nodeId, serverId: systemIds.next() })
  const question = await peer.next('the question', (message) => message.type === 'tail')
  if (question.type === 'tail') otherPeer.send({ type: 'tail', id: question.id, tail: { atMs: 1, lines: ['forged'] } })
  expect(await read).toBe('away')
})

it('A30 lines that a node says unasked, or says again, reach nobody', async () => {
  const { accept, bus, context } = await open()
  const agent = await newAgent()
  const { nodeId } = agent.identity
  const peer = await agent.connectLive(accept)
  const told: unknown[] = []
  bus.onEvent(({ topic, data }) => void (topic === 'console-tail' && told.push(data)))
  const tail = { atMs: 1, lines: ['unasked'] }
  peer.send({ type: 'tail', id: systemIds.next(), tail })
  const read = readConsoleTail({ ...context, bus }, { nodeId, serverId: systemIds.next() })
  const question = await peer.next('the question', (message) => message.type === 'tail')
  if (question.type !== 'tail') throw new Error('no question')
  const answer = { type: 'tail', id: question.id, tail: { atMs: 1, lines: ['asked'] } } as const
  peer.send(answer)
  peer.send({ ...answer, tail })
  expect(await read).toEqual(answer.tail)
  // The next question is answered after all of that was handled.
  const next = readConsoleTail({ ...context, bus }, { nodeId, serverId: systemIds.next() })
  const later = await peer.next('the next question', (message) => message.type === 'tail' && message.id !== question.id)
  if (later.type !== 'tail') throw new Error('no next question')
  peer.send({ ...answer, id: later.id })
  expect(await next).toEqual(answer.tail)
  expect(told).toEqual([question, later].map(({ id }) => ({ id, nodeId, tail: answer.tail })))
})
