import { describe, expect, it } from 'vitest'

import { OVERLOAD } from '#contracts/overload.ts'
import { DoorPlaces } from '../../../../agents/http/door-places.ts'

const { perAddress, silentPerUser, unproven, unprovenPerAddress } = OVERLOAD.agent.sockets
let holders = 0

/** Takes a place if there is one. */
const take = (places: DoorPlaces<number>, address: string, userId?: string): number | undefined => {
  const arrival = { address, userId }
  if (!places.hasRoomFor(arrival)) return undefined
  holders += 1
  places.take(holders, arrival)
  return holders
}

describe('places of the per-server sockets', () => {
  it('without proof run out for an address and for all, and none with proof is lost by that', () => {
    const places = new DoorPlaces<number>()
    for (let count = 0; count < unprovenPerAddress; count += 1) expect(take(places, 'one')).toBeDefined()
    expect(take(places, 'one')).toBeUndefined()
    for (let count = unprovenPerAddress; count < unproven; count += 1) take(places, `address ${count}`)
    expect(take(places, 'fresh')).toBeUndefined()
    expect(take(places, 'one', 'anna')).toBeDefined()
    expect(take(places, 'fresh', 'bela')).toBeDefined()
  })

  it('with proof are limited for a user until one of them authenticates', () => {
    const places = new DoorPlaces<number>()
    const first = take(places, 'address 0', 'anna')
    for (let count = 1; count < silentPerUser; count += 1) take(places, `address ${count}`, 'anna')
    expect(take(places, 'fresh', 'anna')).toBeUndefined()
    expect(take(places, 'fresh', 'bela')).toBeDefined()
    places.spoke(first ?? 0)
    expect(take(places, 'fresh', 'anna')).toBeDefined()
  })

  it('of an address are limited, and one that leaves makes room', () => {
    const places = new DoorPlaces<number>()
    const held = Array.from({ length: perAddress }, (_, count) => take(places, 'one', `user ${count}`))
    expect(take(places, 'one', 'late')).toBeUndefined()
    expect(take(places, 'one')).toBeUndefined()
    places.leave(held[0] ?? 0)
    expect(take(places, 'one', 'late')).toBeDefined()
    expect(places.size).toBe(perAddress)
  })
})
