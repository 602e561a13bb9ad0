import { describe, expect, it } from 'vitest'

import { CallQueue } from '../../../../../agents/runtime/docker/call-queue.ts'

const never = () => new AbortController().signal

describe('calls to the engine', () => {
  it('run as many as may, the next in the order of their arrival', async () => {
    const queue = new CallQueue({ running: 1, waiting: 2 })
    const order: string[] = []
    const leave = await queue.enter(never())
    const second = queue.enter(never()).then((done) => {
      order.push('second')
      done?.()
    })
    const third = queue.enter(never()).then((done) => {
      order.push('third')
      done?.()
    })
    expect(queue.size()).toEqual({ running: 1, waiting: 2 })
    leave?.()
    leave?.()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
    expect(queue.size()).toEqual({ running: 0, waiting: 0 })
  })

  it('are refused at once when too many wait', async () => {
    const queue = new CallQueue({ running: 1, waiting: 1 })
    await queue.enter(never())
    void queue.enter(never())
    expect(await queue.enter(never())).toBeUndefined()
  })

  it('leave the queue when their time is over', async () => {
    const queue = new CallQueue({ running: 1, waiting: 1 })
    const leave = await queue.enter(never())
    const abort = new AbortController()
    const waiting = queue.enter(abort.signal)
    abort.abort()
    expect(await waiting).toBeUndefined()
    expect(queue.size()).toEqual({ running: 1, waiting: 0 })
    leave?.()
    expect(await queue.enter(abort.signal)).toBeTypeOf('function')
  })
})
