import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { probeOwnUser } from '../../../agents/runtime/process/user-probe.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'

const UID = 210_000
let scratch: ReturnType<typeof scratchFolder>

beforeEach(() => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o711)
})
afterEach(() => scratch.remove())

it('a server gets a user of its own where that user reaches its folder', () => {
  const data = path.join(scratch.path, 'agent')
  mkdirSync(data, { mode: 0o711 })
  expect(probeOwnUser(data, UID, []).possible).toBe(process.getuid?.() === 0)
})

it('a closed folder on the way is noticed, although files are reached from within it', () => {
  const closed = path.join(scratch.path, 'closed')
  const data = path.join(closed, 'agent')
  mkdirSync(data, { recursive: true, mode: 0o711 })
  chmodSync(closed, 0o700)
  expect(probeOwnUser(data, UID, [])).toMatchObject({ possible: false, reason: expect.stringContaining('root') })
})
