import { expect, it } from 'vitest'
import { adoptedPower, AGENT_SHUTDOWN_REQUEST } from '../../../../control-plane/provisioning/adopted-power.ts'

const server = { desired: 'installed', suspended: false } as const
const none = { requestId: null, open: [] }
const power = (action: string) => ({ requestId: null, open: [{ kind: 'power', action }] })

it.each([
  ['a start on the node is the wish to run', 'starting', none, 'running'],
  ['a stop on the node is the wish to stand', 'stopping', none, 'stopped'],
  ['the stop of our own restart is no wish', 'stopping', power('restart'), undefined],
  ['the stop that we sent is no news', 'stopping', power('stop'), undefined],
  ['a stop during our start is the wish to stand', 'stopping', power('start'), 'stopped'],
  [
    'a stop during an update is the wish to stand',
    'stopping',
    { requestId: null, open: [{ kind: 'update', action: null }] },
    'stopped',
  ],
  ['a start that races with our stop is no wish', 'starting', power('stop'), undefined],
  ['a crash is no wish', 'crashed', none, undefined],
  ['the end of the agent itself is no wish', 'stopping', { requestId: AGENT_SHUTDOWN_REQUEST, open: [] }, undefined],
] as const)('%s', (_name, state, cause, wish) => {
  expect(adoptedPower(server, state, cause)).toBe(wish)
})

it('nothing is adopted from a suspended server or one that is to go', () => {
  expect(adoptedPower({ ...server, suspended: true }, 'stopping', none)).toBeUndefined()
  expect(adoptedPower({ ...server, desired: 'deleted' }, 'starting', none)).toBeUndefined()
})
