import { PassThrough } from 'node:stream'

import { beforeEach, describe, expect, it } from 'vitest'

import { OVERLOAD } from '#contracts/overload.ts'
import { ArrivingServers } from '../../../../agents/http/arriving-servers.ts'
import { ManualClock } from '../../../setup/manual-clock.ts'
import { ManualTimers } from '../../../support/manual-timers.ts'

const { perUser, unproven, unprovenPerAddress, waitMs } = OVERLOAD.agent.arriving
let timers: ManualTimers
let known: Set<string>
let arriving: ArrivingServers<string>
beforeEach(() => {
  timers = new ManualTimers(new ManualClock())
  known = new Set()
  arriving = new ArrivingServers({ timers, find: (id) => (known.has(id) ? id : undefined) })
})

const wait = (address: string, userId?: string) => {
  const stream = new PassThrough()
  const answers: (string | undefined)[] = []
  arriving.await('server', { stream, arrival: { address, userId } }, (server) => answers.push(server))
  return { stream, answers }
}

describe('a handshake for an unknown server', () => {
  it('is answered once the server is here', async () => {
    const { answers } = wait('one', 'anna')
    await timers.advance(waitMs / 2)
    expect(answers).toEqual([])
    known.add('server')
    await timers.advance(waitMs)
    expect(answers).toEqual(['server'])
  })

  it('ends without a server when the time is up', async () => {
    const { answers } = wait('one', 'anna')
    await timers.advance(waitMs)
    expect(answers).toEqual([undefined])
  })

  it('is forgotten when its client disconnects, which makes room for the next', async () => {
    const held = Array.from({ length: perUser }, () => wait('one', 'anna'))
    expect(wait('one', 'anna').answers).toEqual([undefined])
    held[0]?.stream.destroy()
    await timers.advance(0)
    expect(wait('one', 'anna').answers).toEqual([])
    await timers.advance(waitMs)
    expect(held[0]?.answers).toEqual([])
  })

  it('waits beside a crowd without proof only if it has proof', () => {
    for (let count = 0; count < unprovenPerAddress; count += 1) wait('one')
    expect(wait('one').answers).toEqual([undefined])
    for (let count = unprovenPerAddress; count < unproven; count += 1) wait(`address ${count}`)
    expect(wait('fresh').answers).toEqual([undefined])
    expect(wait('one', 'anna').answers).toEqual([])
  })
})
