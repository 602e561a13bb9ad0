import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openEngine, type DockerEngine } from '../../../agents/runtime/docker/engine.ts'
import { followEvents, type EngineEvent } from '../../../agents/runtime/docker/event-stream.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('an engine on a socket', () => {
  const answerWith = async (answer: object): Promise<string> => {
    const socketPath = join(temporaryFolder(), 'docker.sock')
    const server: Server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((done) => server.listen(socketPath, done))
    onTestFinished(() => void server.close())
    return socketPath
  }

  test('that is too old is refused with a sentence', async () => {
    const socketPath = await answerWith({ ApiVersion: '1.40', Version: '19.03.15' })
    await expect(openEngine({ socketPath }, systemTimers)).rejects.toMatchObject({
      code: 'RUNTIME_REFUSED',
      message: 'Docker 19.03.15 (API 1.40) is too old: Bakter needs Docker 20.10 (API 1.41) or newer.',
    })
  })

  test('that is absent is unreachable', async () => {
    const socketPath = join(temporaryFolder(), 'docker.sock')
    await expect(openEngine({ socketPath }, systemTimers)).rejects.toMatchObject({
      code: 'RUNTIME_UNREACHABLE',
      retryable: true,
    })
  })
})

describe('a fault of a real engine', () => {
  let daemon: TestDockerDaemon
  let engine: DockerEngine
  let containerId: string
  let imageName: string

  beforeAll(async () => {
    daemon = await startTestDockerDaemon({ liveRestore: true })
    const image = await loadTestImage(daemon.docker)
    imageName = image.name
    // Impatient, because a test waits for it: on a busy machine a sound daemon answers later now and then.
    const opened = await waitFor('the engine', () =>
      openEngine({ socketPath: daemon.socketPath, timeoutMs: 1_000, maxRunning: 4, maxWaiting: 8 }, systemTimers),
    )
    engine = opened.engine
    expect(opened.version).toMatchObject({ api: expect.stringMatching(/^1\.\d+$/) as string })
    const container = await daemon.docker.createContainer({
      Image: image.name,
      Cmd: ['/bin/sleep', '600'],
      HostConfig: { NetworkMode: 'none' },
    })
    await container.start()
    containerId = container.id
  })
  afterAll(() => daemon.remove())

  const look = () => engine.ask('inspect', (docker) => docker.getContainer(containerId).inspect())
  const isRunning = async () => {
    const answer = await look()
    return answer.ok && answer.value.State.Running
  }

  test('fault 30: as a hang is "unreachable", never "exited", and limits the queue', async () => {
    await daemon.freeze()
    onTestFinished(() => daemon.thaw())
    const answers = await Promise.all(Array.from({ length: 40 }, look))
    expect(answers.map((answer) => (answer.ok ? 'answered' : answer.code))).toEqual(
      Array<string>(40).fill('UNREACHABLE'),
    )
    expect(answers.filter((answer) => !answer.ok && /too many calls wait/.test(answer.message))).toHaveLength(28)
    expect(engine.load()).toEqual({ running: 0, waiting: 0 })
    daemon.thaw()
    await waitFor('the engine to answer again', isRunning)
  })

  test('as a kill is "unreachable"; with live-restore the container is there after it', async () => {
    await daemon.kill()
    expect(await look()).toMatchObject({ ok: false, code: 'UNREACHABLE' })
    await daemon.start()
    await waitFor('the engine', isRunning)
  })

  test('as a missing container is "not found", and a stopped one conflicts', async () => {
    const { engine: patient } = await openEngine({ socketPath: daemon.socketPath, timeoutMs: 20_000 }, systemTimers)
    const missing = await patient.ask('inspect', (docker) => docker.getContainer('missing').inspect())
    expect(missing).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    const taken = await patient.ask('name', (docker) => docker.getContainer(containerId).remove())
    expect(taken).toMatchObject({ ok: false, code: 'CONFLICT' })
  })

  test('fault 31: with missed events leads to one resync, after a hang, a kill and a restart', async () => {
    const container = daemon.docker.getContainer(containerId)
    // The engine responds to a pause before it knows the container as paused.
    const pauseForAMoment = async () => {
      await container.pause()
      await waitFor('the engine to know', async () => (await container.inspect()).State.Paused)
      await container.unpause()
    }
    const life = new AbortController()
    onTestFinished(() => life.abort())
    const events: EngineEvent[] = []
    const story: string[] = []
    const patient = (await openEngine({ socketPath: daemon.socketPath, timeoutMs: 20_000 }, systemTimers)).engine
    followEvents(
      { engine: patient, timers: systemTimers, pace: { pingEveryMs: 300, pingTimeoutMs: 12_000 } },
      {
        event: (event) => events.push(event),
        resync: () => story.push('resync'),
        lost: () => story.push('lost'),
      },
      life.signal,
    )
    await waitFor('the first resync', () => story.length === 1)
    await container.pause()
    await waitFor('an event', () => events.some(({ action, id }) => action === 'pause' && id === containerId))
    await container.unpause()

    for (const fault of ['freeze', 'kill'] as const) {
      story.length = 0
      await daemon[fault]()
      await waitFor(`the loss by ${fault}`, () => story.length === 1)
      expect(story).toEqual(['lost'])
      if (fault === 'freeze') daemon.thaw()
      else await daemon.start()
      await waitFor(`the resync after ${fault}`, () => story.length > 1)
      expect(story).toEqual(['lost', 'resync'])
    }
    events.length = 0
    await pauseForAMoment()
    await waitFor('events after the faults', () => events.some(({ action }) => action === 'unpause'))
    expect(events.filter(({ action }) => action === 'pause')).toHaveLength(1)

    life.abort()
    events.length = 0
    await pauseForAMoment()
    expect(events).toEqual([])
  })

  test('fault 30: of containerd leaves the container running, and the engine finds it again', async () => {
    await daemon.killContainerd()
    await waitFor('the engine to answer for the container', isRunning)
    // The first start after the fault starts containerd's helpers too, which takes a busy machine seconds.
    const { engine: patient } = await openEngine({ socketPath: daemon.socketPath, timeoutMs: 20_000 }, systemTimers)
    const code = await waitFor('a new container to run to its end', async () => {
      const made = await patient.get('create', (docker) =>
        docker.createContainer({ Image: imageName, Cmd: ['/bin/true'], HostConfig: { NetworkMode: 'none' } }),
      )
      await patient.get('start', () => made.start())
      const end = (await patient.get('wait', () => made.wait())) as { StatusCode: number }
      return `code ${end.StatusCode}`
    })
    expect(code).toBe('code 0')
  })
})
