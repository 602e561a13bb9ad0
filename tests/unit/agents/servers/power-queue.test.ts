import { describe, expect, it } from 'vitest'

import { PowerQueue } from '../../../../agents/servers/power-queue.ts'

const gate = () => {
  let open: () => void = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

describe('power queue', () => {
  it('runs one action at a time in the order of arrival', async () => {
    const queue = new PowerQueue<string>()
    const door = gate()
    const order: string[] = []
    const first = queue.add(async () => {
      order.push('first begins')
      await door.passed
      order.push('first ends')
      return 'a'
    })
    const second = queue.add(async () => {
      order.push('second')
      return 'b'
    })
    door.open()
    expect(await Promise.all([first, second])).toEqual([
      { is: 'done', value: 'a' },
      { is: 'done', value: 'b' },
    ])
    expect(order).toEqual(['first begins', 'first ends', 'second'])
  })

  it('lets a kill jump the queue and drops what waited', async () => {
    const queue = new PowerQueue<string>()
    const door = gate()
    const stop = queue.add(async () => {
      await door.passed
      return 'stopped'
    })
    const start = queue.add(async () => 'started')
    expect(await queue.urgent(async () => 'killed')).toEqual({ is: 'done', value: 'killed' })
    expect(await start).toEqual({ is: 'superseded' })
    door.open()
    expect(await stop).toEqual({ is: 'done', value: 'stopped' })
  })

  it('goes on after an action that throws, and refuses when too many wait', async () => {
    const queue = new PowerQueue<string>()
    const door = gate()
    const failing = queue.add(async () => {
      await door.passed
      throw new Error('broken')
    })
    const waiting = Array.from({ length: 8 }, () => queue.add(async () => 'ok'))
    expect(await queue.add(async () => 'too many')).toEqual({ is: 'full' })
    door.open()
    await expect(failing).rejects.toThrow('broken')
    expect(await Promise.all(waiting)).toHaveLength(8)
    expect(queue.idle).toBe(true)
  })
})
