import { describe, expect, it } from 'vitest'
import { OUTBOX_TOPICS } from '../../../../../control-plane/platform/outbox-topics.ts'
import { isJobName } from '../../../../../control-plane/platform/jobs/job-catalog.ts'
import { EVENT_TOPICS } from '../../../../../control-plane/platform/outbox-topics.ts'
import type { Processors } from '../../../../../control-plane/platform/jobs/job-catalog.ts'
import { runAloneIfScheduled, runTask } from '../../../../../control-plane/platform/jobs/workers.ts'
import { IDLE_PROCESSORS } from '../../../../factories/idle-processors.ts'
import { AppError } from '../../../../../control-plane/platform/app-error.ts'
import { createLogger } from '#platform/logger.ts'
import { createMetrics } from '../../../../../control-plane/platform/metrics.ts'
import { UnrecoverableTask } from '../../../../../control-plane/platform/queue.ts'

const SERVER = '01890000-0000-7000-8000-000000000000'
const deps = (change: Partial<Processors> = {}) => ({
  clock: { now: () => 0 },
  log: createLogger('test', 'silent'),
  metrics: createMetrics(),
  processors: { ...IDLE_PROCESSORS, ...change },
})
const task = (kind: string, data: unknown) => ({ id: 'task', kind, data, attempt: 1 })
const provision = { requestId: 'req', payload: { serverId: SERVER, orderId: SERVER } }

describe('the catalogue of jobs', () => {
  it('every topic of the outbox is a job or an event, and not both', () => {
    const events: readonly string[] = EVENT_TOPICS
    const topics = Object.keys(OUTBOX_TOPICS)
    expect(topics.filter(isJobName)).toEqual(topics.filter((topic) => !events.includes(topic)))
  })
})

describe('runTask', () => {
  it('calls the processor with the parsed payload and the id of the request', async () => {
    const seen: unknown[] = []
    await runTask(
      task('provision-server', provision),
      deps({ 'provision-server': async (...args) => void seen.push(args) }),
    )
    expect(seen).toEqual([[provision.payload, expect.objectContaining({ requestId: 'req' })]])
  })

  it.each([
    ['a job that the catalogue does not have', task('rm', provision)],
    ['a name of Object.prototype', task('constructor', provision)],
    ['a payload of another form', task('provision-server', { requestId: 'r', payload: { serverId: 'x' } })],
    ['no envelope', task('provision-server', { serverId: SERVER })],
  ])('does not repeat %s', async (_name, given) => {
    await expect(runTask(given, deps())).rejects.toThrow(UnrecoverableTask)
  })

  it('repeats a failure that may pass, and not one that cannot', async () => {
    const failing = (error: Error) =>
      runTask(
        task('provision-server', provision),
        deps({
          'provision-server': async () => {
            throw error
          },
        }),
      )
    await expect(failing(new AppError('UNAVAILABLE', 'later', { retryable: true }))).rejects.toThrow(AppError)
    await expect(failing(new Error('surprise'))).rejects.toThrow('surprise')
    await expect(failing(new AppError('NOT_FOUND', 'never'))).rejects.toThrow(UnrecoverableTask)
  })
})

describe('a scheduled job that lasts longer than its schedule', () => {
  const scheduled = (kind: string) => task(kind, { requestId: `schedule:${kind}`, payload: {} })

  /** A run over everybody's servers that ends when it is told. */
  function longRun() {
    const runs: { end: (error?: Error) => void }[] = []
    const runLifetime = () =>
      new Promise<void>((done, fail) => {
        runs.push({ end: (error) => (error ? fail(error) : done()) })
      })
    return { runs, runLifetime }
  }

  it('is not run beside itself, and takes no place from the others', async () => {
    const { runs, runLifetime } = longRun()
    const others: string[] = []
    const run = runAloneIfScheduled(
      deps({
        'server-lifetime': runLifetime,
        'provision-server': async () => void others.push('provision-server'),
        'payment-reconcile': async () => void others.push('payment-reconcile'),
      }),
    )
    const first = run(scheduled('server-lifetime'))
    // These would not end if they waited for it or ran.
    for (let minute = 0; minute < 8; minute += 1) await run(scheduled('server-lifetime'))
    await run(task('provision-server', provision))
    await run(scheduled('payment-reconcile'))
    expect([runs.length, others]).toEqual([1, ['provision-server', 'payment-reconcile']])
    runs[0]?.end()
    await first
  })

  it.each([
    ['has ended', undefined],
    ['has failed', new Error('gone')],
  ])('is run again when it %s', async (_name, error) => {
    const { runs, runLifetime } = longRun()
    const run = runAloneIfScheduled(deps({ 'server-lifetime': runLifetime }))
    const first = Promise.allSettled([run(scheduled('server-lifetime'))])
    runs[0]?.end(error)
    expect(await first).toMatchObject([{ status: error ? 'rejected' : 'fulfilled' }])
    const second = run(scheduled('server-lifetime'))
    expect(runs).toHaveLength(2)
    runs[1]?.end()
    await second
  })

  it('leaves tasks that are not scheduled side by side', async () => {
    const started: string[] = []
    let goOn = () => {}
    const held = new Promise<void>((done) => (goOn = done))
    const reconcileServer: Processors['provision-server'] = async ({ serverId }) => {
      started.push(serverId)
      await held
    }
    const run = runAloneIfScheduled(deps({ 'provision-server': reconcileServer }))
    const both = [run(task('provision-server', provision)), run(task('provision-server', provision))]
    expect(started).toHaveLength(2)
    goOn()
    await Promise.all(both)
  })
})
