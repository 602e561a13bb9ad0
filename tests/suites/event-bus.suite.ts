import { afterEach, describe, expect, it } from 'vitest'
import type { BusEvent, EventBus } from '../../control-plane/platform/event-bus.ts'
import { waitFor } from '../support/wait-for.ts'

export type BusFixture = {
  open: () => Promise<EventBus>
  /** Aborts every subscriber's connection from the server's side. */
  breakLinks: () => Promise<void>
}

/** The contract of an event bus, on any transport. */
export function eventBusSuite(name: string, fixture: () => BusFixture): void {
  describe(`event bus on ${name}`, () => {
    let opened: EventBus[] = []
    const open = async () => {
      const bus = await fixture().open()
      const events: BusEvent[] = []
      let gaps = 0
      bus.onEvent((event) => void events.push(event))
      bus.onGap(() => (gaps += 1))
      opened.push(bus)
      return { bus, events, gaps: () => gaps }
    }
    afterEach(async () => {
      await Promise.all(opened.map((bus) => bus.close()))
      opened = []
    })

    it('delivers an event to every process, the sender too', async () => {
      const [one, two] = [await open(), await open()]
      await one.bus.publish({ topic: 'browser-event', data: { text: 'árvíztűrő' } })
      for (const side of [one, two]) {
        await waitFor('the event', () => side.events.length === 1)
        expect(side.events).toEqual([{ topic: 'browser-event', data: { text: 'árvíztűrő' } }])
      }
    })

    it('keeps the order of one sender, with small and large events mixed', async () => {
      const { bus, events } = await open()
      for (let i = 0; i < 20; i += 1) {
        await bus.publish({ topic: 't', data: { i, filling: i % 3 === 0 ? 'x'.repeat(20_000) : '' } })
      }
      await waitFor('all events', () => events.length === 20)
      expect(events.map((event) => (event.data as { i: number }).i)).toEqual(Array.from({ length: 20 }, (_, i) => i))
      expect(events[0]?.data).toEqual({ i: 0, filling: 'x'.repeat(20_000) })
    })

    it('keeps the order of events that are published with one call, small and large', async () => {
      const { bus, events } = await open()
      const data = Array.from({ length: 9 }, (_, i) => ({ i, filling: i % 4 === 3 ? 'x'.repeat(20_000) : '' }))
      await bus.publish(...data.map((each) => ({ topic: 't', data: each })))
      await waitFor('all events', () => events.length === 9)
      expect(events.map((event) => event.data)).toEqual(data)
    })

    it('counts bytes, not characters, when it decides that an event is large', async () => {
      const { bus, events } = await open()
      const text = 'ű'.repeat(7_000)
      await bus.publish({ topic: 't', data: text })
      await waitFor('the event', () => events.length === 1)
      expect(events[0]?.data).toBe(text)
    })

    it('G6 reports a gap after its link broke, and continues', async () => {
      const { bus, events, gaps } = await open()
      expect(gaps()).toBe(0)
      await fixture().breakLinks()
      await waitFor('the gap', () => gaps() > 0)
      await bus.publish({ topic: 'after', data: {} })
      await waitFor('an event after the gap', () => events.some((event) => event.topic === 'after'))
      expect(events).toEqual([{ topic: 'after', data: {} }])
    })

    it('stops calling a listener that has left', async () => {
      const { bus, events } = await open()
      const left: BusEvent[] = []
      const leave = bus.onEvent((event) => void left.push(event))
      leave()
      await bus.publish({ topic: 't', data: 1 })
      await waitFor('the event', () => events.length === 1)
      expect(left).toEqual([])
    })
  })
}
