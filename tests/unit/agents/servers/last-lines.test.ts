import { afterEach, beforeEach, expect, it } from 'vitest'
import { TAIL_BOUNDS } from '#contracts/agent/session.ts'
import { SERVER_ID } from '../../../factories/server-spec.ts'
import { ServerRig } from '../../../support/server-rig.ts'
import { waitFor } from '../../../support/wait-for.ts'

let rig: ServerRig
beforeEach(async () => {
  rig = new ServerRig()
  await rig.agent()
  await rig.install()
})
afterEach(() => rig.remove())

const tail = () => rig.manager.consoleTail(SERVER_ID)
const started = async () => {
  await rig.power('start')
  await waitFor('the server to run', () => rig.state() === 'running')
}

it('the console of a running server is told, without the installation and the notes of the node', async () => {
  expect(tail()).toBeNull()
  await started()
  expect(tail()?.lines).toEqual(['Start number 1', 'Done! The game is open'])
})

it('the console of a stopped server is told, also after a long time and by another agent', async () => {
  await started()
  await rig.power('stop')
  await waitFor('the server to stop', () => rig.state() === 'offline')
  const before = tail()
  expect(before?.lines.slice(-2)).toEqual(['Stopping', 'World saved'])
  await rig.timers.advance(3_600_000)
  await rig.agent()
  expect(tail()).toEqual(before)
})

it('the last lines are told, each cut to its bound', async () => {
  await started()
  for (let at = 0; at < TAIL_BOUNDS.lines + 10; at += 1) await rig.server().writeLine(`say ${at}`)
  await rig.server().writeLine(`say ${'x'.repeat(3_000)}`)
  await expect.poll(() => tail()?.lines.at(-1)?.length).toBe(TAIL_BOUNDS.line)
  expect(tail()?.lines).toHaveLength(TAIL_BOUNDS.lines)
  expect(tail()?.lines.at(-2)).toBe(`[Server] ${TAIL_BOUNDS.lines + 9}`)
})

it('a server that is not on the node tells nothing', () => {
  expect(rig.manager.consoleTail('01890000-0000-7000-8000-00000000ffff')).toBeNull()
})
