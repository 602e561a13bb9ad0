import { expect, it } from 'vitest'
import { AGENT_SHUTDOWN_REQUEST } from '#contracts/agent/session.ts'
import { adoptedPower } from '../../../../../control-plane/servers/provisioning/adopted-power.ts'

const server = { desired: 'installed', suspended: false } as const
const none = { requestId: null, open: [] }
const power = (action: string) => ({ requestId: null, open: [{ kind: 'power', action }] })

it.each([
  { name: 'a start on the node is the wish to run', state: 'starting', cause: none, wish: 'running' },
  { name: 'a stop on the node is the wish to stand', state: 'stopping', cause: none, wish: 'stopped' },
  { name: 'the stop of our own restart is no wish', state: 'stopping', cause: power('restart'), wish: undefined },
  { name: 'the stop that we sent is no news', state: 'stopping', cause: power('stop'), wish: undefined },
  { name: 'a stop during our start is the wish to stand', state: 'stopping', cause: power('start'), wish: 'stopped' },
  {
    name: 'a stop during an update is the wish to stand',
    state: 'stopping',
    cause: { requestId: null, open: [{ kind: 'update', action: null }] },
    wish: 'stopped',
  },
  { name: 'a start that races with our stop is no wish', state: 'starting', cause: power('stop'), wish: undefined },
  { name: 'a crash is no wish', state: 'crashed', cause: none, wish: undefined },
  {
    name: 'the end of the agent itself is no wish',
    state: 'stopping',
    cause: { requestId: AGENT_SHUTDOWN_REQUEST, open: [] },
    wish: undefined,
  },
] as const)('$name', ({ state, cause, wish }) => {
  expect(adoptedPower(server, state, cause)).toBe(wish)
})

it('nothing is adopted from a suspended server or one that is to go', () => {
  expect(adoptedPower({ ...server, suspended: true }, 'stopping', none)).toBeUndefined()
  expect(adoptedPower({ ...server, desired: 'deleted' }, 'starting', none)).toBeUndefined()
})
