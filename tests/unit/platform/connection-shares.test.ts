import { EventEmitter } from 'node:events'

import { describe, expect, it } from 'vitest'

import { ConnectionShares } from '#platform/connection-shares.ts'

let ports = 0
class Connection extends EventEmitter {
  readonly remotePort = (ports += 1)
  isCut = false

  readonly remoteAddress: string

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.isCut = true
    this.emit('close')
  }
}

const rig = (figures = { all: 6, perAddress: 3, refusedPerAddress: 1 }, isExempt?: (address: string) => boolean) => {
  const shares = new ConnectionShares(figures, isExempt)
  const server = new EventEmitter()
  shares.watch(server)
  const connect = (address: string): Connection => {
    const connection = new Connection(address)
    server.emit('connection', connection)
    return connection
  }
  return { shares, connect }
}

describe('shares of connections', () => {
  it('of an address end at its share: the next is refused in words, further ones are cut', () => {
    const { shares, connect } = rig()
    const held = [1, 2, 3].map(() => connect('192.0.2.1'))
    const over = connect('192.0.2.1')
    expect(held.map((each) => shares.isOver(each))).toEqual([false, false, false])
    expect([shares.isOver(over), over.isCut]).toEqual([true, false])
    expect(connect('::ffff:192.0.2.1').isCut).toBe(true)
    expect(shares.isOver(connect('192.0.2.2'))).toBe(false)
    over.destroy()
    held[0]?.destroy()
    expect(shares.isOver(connect('192.0.2.1'))).toBe(false)
  })

  it('count an IPv6 customer by the /64', () => {
    const { shares, connect } = rig()
    for (const last of [1, 2, 3]) connect(`2001:db8:1:2::${last}`)
    expect(shares.isOver(connect('2001:db8:1:2:ffff::9'))).toBe(true)
    expect(shares.isOver(connect('2001:db8:1:3::1'))).toBe(false)
  })

  it('when all are taken, the address with the most loses its oldest connection to one with fewer', () => {
    const { shares, connect } = rig({ all: 4, perAddress: 3, refusedPerAddress: 1 })
    const greedy = [1, 2, 3].map(() => connect('192.0.2.1'))
    connect('192.0.2.2')
    const next = connect('192.0.2.3')
    expect(greedy.map(({ isCut }) => isCut)).toEqual([true, false, false])
    expect([shares.isOver(next), shares.count]).toEqual([false, 4])
  })

  it('when all are taken, each of a burst of newcomers makes room for itself before the cut ones have closed', () => {
    const { shares, connect } = rig({ all: 4, perAddress: 4, refusedPerAddress: 1 })
    const greedy = [1, 2, 3, 4].map(() => connect('192.0.2.1'))
    // A socket tells that it is closed in a later turn of the event loop.
    const closed: Connection[] = []
    for (const each of greedy) {
      each.destroy = () => {
        each.isCut = true
        closed.push(each)
      }
    }
    const next = ['192.0.2.2', '192.0.2.3'].map((address) => connect(address))
    expect(greedy.map(({ isCut }) => isCut)).toEqual([true, true, false, false])
    expect([next.map((each) => shares.isOver(each)), shares.count]).toEqual([[false, false], 4])
    for (const each of closed) each.emit('close')
    expect(shares.count).toBe(4)
    for (const each of [...greedy.slice(2), ...next]) each.emit('close')
    expect(shares.count).toBe(0)
  })

  it('when all are taken evenly, the newcomer is refused', () => {
    const { shares, connect } = rig({ all: 2, perAddress: 3, refusedPerAddress: 1 })
    const held = [connect('192.0.2.1'), connect('192.0.2.2')]
    expect(shares.isOver(connect('192.0.2.3'))).toBe(true)
    expect(held.some(({ isCut }) => isCut)).toBe(false)
  })

  it('do not hold for a trusted proxy, which brings everybody', () => {
    const { shares, connect } = rig(undefined, (address) => address === '10.0.0.1')
    const all = Array.from({ length: 20 }, () => connect('10.0.0.1'))
    expect(all.some((each) => each.isCut || shares.isOver(each))).toBe(false)
  })
})
