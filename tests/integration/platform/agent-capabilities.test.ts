import { expect, it } from 'vitest'
import type { AgentCapability } from '#contracts/agent/session.ts'
import { isCapable } from '../../../control-plane/servers/store/node-store.ts'
import { hubsOfFile } from '../../factories/hub.ts'

const { open, newAgent, database } = hubsOfFile()

it('A8a what an agent announces that it can is kept, and nothing of one that announces nothing', async () => {
  const { accept } = await open()
  const agent = await newAgent()
  const { nodeId } = agent.identity
  const can = (capability: AgentCapability) => isCapable(database().owner, nodeId, capability)
  agent.capabilities = ['reinstall.wipe', 'of a later release']
  ;(await agent.connectLive(accept)).cut()
  expect(await can('reinstall.wipe')).toBe(true)
  // As after a return to the previous release.
  agent.capabilities = undefined
  await agent.connectLive(accept)
  expect(await can('reinstall.wipe')).toBe(false)
})
