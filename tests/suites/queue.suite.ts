import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import {
  openQueue,
  UnrecoverableTask,
  type QueueOptions,
  type Task,
  type TaskQueue,
} from '../../control-plane/platform/queue.ts'
import { startOwnProcess } from '../support/own-process.ts'
import { programArguments } from '../support/test-program.ts'
import { waitFor } from '../support/wait-for.ts'

const nextId = () => systemIds.next()

/** The contract of the queue, on any store. `options` returns its store. */
export function queueSuite(name: string, options: () => QueueOptions): void {
  describe(`queue on ${name}`, () => {
    let opened: TaskQueue[] = []
    let queueName: string
    const open = () => {
      const queue = openQueue(queueName, options())
      opened.push(queue)
      return queue
    }
    beforeAll(() => {
      queueName = `suite-${nextId()}`
    })
    afterEach(async () => {
      await Promise.all(opened.map((queue) => queue.close()))
      opened = []
      queueName = `suite-${nextId()}`
    })

    it('runs the same id once, however often it is added', async () => {
      const queue = open()
      const seen: string[] = []
      const [twice, last] = [nextId(), nextId()]
      for (let i = 0; i < 3; i += 1) await queue.add({ id: twice, kind: 'a', data: { i } })
      await queue.work(async (task) => void seen.push(task.id), { concurrency: 1 })
      await waitFor('the task', () => seen.includes(twice))
      await queue.add({ id: twice, kind: 'a', data: {} })
      await queue.add({ id: last, kind: 'a', data: {} })
      await waitFor('the last task', () => seen.includes(last))
      expect(seen).toEqual([twice, last])
    })

    it('runs each of many that are added with one call once, known ones too', async () => {
      const queue = open()
      const seen: Task[] = []
      const [known, fresh] = [nextId(), nextId()]
      const tasks = [known, fresh].map((id) => ({ id, kind: 'a', data: { id } }))
      await queue.add({ id: known, kind: 'a', data: { id: known } })
      await queue.addAll(tasks, { attempts: 2, backoffMs: 10 })
      await queue.addAll(tasks)
      await queue.work(
        async (task) => {
          seen.push(task)
          if (task.id === fresh && task.attempt === 1) throw new Error('once more')
        },
        { concurrency: 1 },
      )
      const last = nextId()
      await waitFor('the second try', () => seen.length === 3)
      await queue.add({ id: last, kind: 'a', data: {} })
      await waitFor('the last task', () => seen.some(({ id }) => id === last))
      expect(seen.map(({ id }) => id)).toEqual([known, fresh, fresh, last])
      expect(seen[1]?.data).toEqual({ id: fresh })
    })

    it('passes kind and data on unchanged', async () => {
      const queue = open()
      const seen: Task[] = []
      await queue.work(async (task) => void seen.push(task))
      await queue.add({ id: nextId(), kind: 'order-settle', data: { deep: [1, { text: 'é' }] } })
      await waitFor('the task', () => seen.length === 1)
      expect(seen[0]).toMatchObject({ kind: 'order-settle', data: { deep: [1, { text: 'é' }] }, attempt: 1 })
    })

    it('runs a delayed task after those that are due', async () => {
      const queue = open()
      const seen: string[] = []
      await queue.work(async (task) => void seen.push(task.kind))
      await queue.add({ id: nextId(), kind: 'later', data: {} }, { delayMs: 10_000 })
      await queue.add({ id: nextId(), kind: 'now', data: {} })
      await waitFor('both tasks', () => seen.length === 2)
      expect(seen).toEqual(['now', 'later'])
    })

    it('runs a low-priority task after all others that are due', async () => {
      const queue = open()
      const seen: string[] = []
      for (let i = 0; i < 3; i += 1) await queue.add({ id: nextId(), kind: `told ${i}`, data: {} }, { canWait: true })
      for (const kind of ['ordered', 'paid']) await queue.add({ id: nextId(), kind, data: {} })
      await queue.work(async (task) => void seen.push(task.kind), { concurrency: 1 })
      await waitFor('all of them', () => seen.length === 5)
      expect(seen).toEqual(['ordered', 'paid', 'told 0', 'told 1', 'told 2'])
    })

    it('runs a failed task again until it succeeds', async () => {
      const queue = open()
      const attempts: number[] = []
      await queue.work(async (task) => {
        attempts.push(task.attempt)
        if (attempts.length < 3) throw new Error('not yet')
      })
      await queue.add({ id: nextId(), kind: 'a', data: {} }, { backoffMs: 10 })
      await waitFor('the third run', () => attempts.length === 3)
      expect(attempts).toEqual([1, 2, 3])
    })

    it('stops after the allowed attempts, and at once when a task cannot be recovered', async () => {
      const queue = open()
      const runs: string[] = []
      const failed: string[] = []
      await queue.work(
        async (task) => {
          runs.push(task.kind)
          throw task.kind === 'hopeless' ? new UnrecoverableTask('no form') : new Error('again')
        },
        { onFailed: (task, reason) => void failed.push(`${task.kind}: ${reason}`) },
      )
      await queue.add({ id: nextId(), kind: 'hopeless', data: {} }, { backoffMs: 10 })
      await queue.add({ id: nextId(), kind: 'bounded', data: {} }, { attempts: 2, backoffMs: 10 })
      await waitFor('both tasks in the state failed', async () => (await queue.counts())['failed'] === 2)
      expect(runs.toSorted()).toEqual(['bounded', 'bounded', 'hopeless'])
      // The queue knows it before the worker is notified.
      await waitFor('the word of the worker', () => failed.includes('hopeless: no form'))
    })

    it('keeps tasks for a worker that starts later, also when the adder has gone', async () => {
      const adder = openQueue(queueName, options())
      const id = nextId()
      await adder.add({ id, kind: 'a', data: {} })
      await adder.close()
      const seen: string[] = []
      await open().work(async (task) => void seen.push(task.id))
      await waitFor('the task', () => seen.includes(id))
      expect(seen).toEqual([id])
    })

    it('gives the task of a killed worker to another', async () => {
      const id = nextId()
      const { databaseUrl, redisUrl } = options()
      const worker = startOwnProcess({
        command: process.execPath,
        args: await programArguments('tests/fixtures/hanging-worker.ts', queueName),
        env: { DATABASE_URL: databaseUrl, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) },
      })
      await open().add({ id, kind: 'a', data: {} })
      await worker.waitForOutput(`running ${id}`)
      worker.signal('SIGKILL')
      await worker.ended
      const seen: string[] = []
      await open().work(async (task) => void seen.push(task.id), { lockMs: 1_000 })
      await waitFor('the task of the dead worker', () => seen.includes(id), 120_000)
      expect(seen).toEqual([id])
    })

    it('creates a scheduled task once for all who request the schedule', async () => {
      const [first, second] = [open(), open()]
      const seen: Task[] = []
      for (const queue of [first, second]) await queue.every('tick', 3_600_000, { requestId: 'schedule' })
      for (const queue of [first, second]) await queue.work(async (task) => void seen.push(task))
      await waitFor('the first tick', () => seen.length > 0)
      await first.add({ id: nextId(), kind: 'marker', data: {} })
      await waitFor('the marker', () => seen.some((task) => task.kind === 'marker'))
      expect(seen.filter((task) => task.kind === 'tick').map((task) => task.data)).toEqual([{ requestId: 'schedule' }])
    })

    it('a schedule that has ended creates no further task', async () => {
      const queue = open()
      const seen: string[] = []
      await queue.every('former', 200, {})
      await queue.every('current', 200, {})
      await queue.work(async ({ kind }) => void seen.push(kind))
      await waitFor('both schedules', () => seen.includes('former') && seen.includes('current'))
      await queue.endEvery('former')
      await queue.endEvery('never scheduled')
      await queue.add({ id: nextId(), kind: 'marker', data: {} })
      await waitFor('the marker', () => seen.includes('marker'))
      const after = seen.length
      await waitFor('ten more runs', () => seen.length >= after + 10)
      expect(new Set(seen.slice(after + 2))).toEqual(new Set(['current']))
    })

    it('waits for a running handler before it closes', async () => {
      const queue = openQueue(queueName, options())
      let finished = false
      let started = false
      await queue.work(async () => {
        started = true
        await new Promise((done) => setTimeout(done, 300))
        finished = true
      })
      await queue.add({ id: nextId(), kind: 'a', data: {} })
      await waitFor('the start', () => started)
      await queue.close()
      expect(finished).toBe(true)
    })
  })
}
