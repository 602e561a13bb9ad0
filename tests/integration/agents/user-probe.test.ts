import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { systemClock } from '#platform/clock.ts'
import { realDisk } from '../../../agents/platform/disk.ts'
import { systemRandom, systemIds } from '#platform/ids.ts'
import { noFaults } from '#platform/fault-point.ts'
import { silentLog } from '#platform/logger.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { openRuntime } from '../../../agents/runtime/catalog.ts'
import { probeOwnUser } from '../../../agents/runtime/process/user-probe.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { ownUsers } from '../../support/own-users.ts'

const UID = ownUsers() + 50
const isRoot = process.getuid?.() === 0
let scratch: ReturnType<typeof scratchFolder>

beforeEach(() => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o711)
})
afterEach(() => scratch.remove())

it('a server gets a separate user where that user can reach its folder', () => {
  const data = path.join(scratch.path, 'agent')
  mkdirSync(data, { mode: 0o711 })
  expect(probeOwnUser(data, UID, []).possible).toBe(isRoot)
})

it('a closed parent folder is noticed, although files are reachable from within it', async () => {
  const closed = path.join(scratch.path, 'closed')
  const data = path.join(closed, 'agent')
  mkdirSync(data, { recursive: true, mode: 0o711 })
  chmodSync(closed, 0o700)
  const reason = isRoot
    ? `Servers run as root, because other users may not pass through ${closed}: chmod o+x ${closed}, or keep Bakter and its data elsewhere.`
    : 'The agent is not root, so all servers run under its own user.'
  expect(probeOwnUser(data, UID, [])).toEqual({ possible: false, reason })
  const settings = {
    name: 'process' as const,
    isProduction: false,
    isSingleTenant: false,
    isSupervised: false,
    dataFolder: data,
    uidBase: UID,
    shimCommand: [],
    programFiles: [],
    docker: {
      dockerSocket: path.join(scratch.path, 'no.sock'),
      dataFolder: data,
      caBundle: null,
      cache: null,
      internalRegistries: [],
      registryAuth: undefined,
      programText: () => undefined,
      networkPool: undefined,
      networkPoolV6: undefined,
      egressAllow: undefined,
      blockMail: false,
    },
  }
  const deps = {
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    ids: systemIds,
    disk: realDisk,
    log: silentLog,
    faults: noFaults,
  }
  // Nobody would see the warning: refused. npm start shows it, and who sets the variable knows it.
  const warnings = async (change = {}) => (await openRuntime({ ...settings, ...change }, deps)).capabilities().warnings
  if (isRoot) await expect(warnings()).rejects.toThrow(`${reason} AGENT_SINGLE_TENANT=1 accepts it as it is.`)
  else expect(await warnings()).toHaveLength(2)
  for (const change of [{ isSupervised: true }, { isSingleTenant: true }]) {
    expect(await warnings(change)).toContain(reason)
  }
})

/**
 * Kills what the user runs, so many times: the shim of a server that ends just then does it. Processes that come later
 * may read `gate`.
 */
const killer = (times: number, gate: string): string => `
  const fs = require('node:fs')
  let left = ${times}
  console.log('ready')
  while (left > 0) {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      try {
        const status = fs.readFileSync('/proc/' + pid + '/status', 'latin1')
        if (!status.includes('Uid:\\t${UID}\\t') || /^State:\\tZ/m.test(status)) continue
        process.kill(Number(pid), 'SIGKILL')
        left -= 1
        while (!/^State:\\tZ/m.test(fs.readFileSync('/proc/' + pid + '/status', 'latin1'))) {}
      } catch {}
      if (left === 0) break
    }
  }
  fs.writeFileSync('${gate}', '')`

it('a killed probe says nothing about permissions: it is repeated, a limited number of times', async () => {
  if (!isRoot) return
  const data = path.join(scratch.path, 'agent')
  mkdirSync(data, { mode: 0o711 })
  // A probe ends when it has read this, which nobody has written to: none is over before the killer has seen it.
  const gate = path.join(data, 'gate')
  execFileSync('mkfifo', ['-m', '644', gate])
  for (const [times, possible] of [
    [3, true],
    [5, false],
  ] as const) {
    const child = spawn(process.execPath, ['-e', killer(times, gate)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    try {
      await once(child.stdout, 'data')
      expect(probeOwnUser(data, UID, [gate]).possible).toBe(possible)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  }
})
