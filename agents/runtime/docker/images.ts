import type { ImageReference } from '#contracts/agent/image-reference.ts'
import { reconnectDelayMs } from '../../platform/back-off.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { RandomSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import type { EngineAnswer } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { lineReader } from './event-stream.ts'
import { allowImage, referenceOf, registryOf } from './image-reference.ts'
import { isWorthRepeating, PullProgress, type PullLine } from './pull-progress.ts'
import { explainPull, type RegistryLogin, type RegistryLogins } from './registry-logins.ts'

export interface ImageSettings {
  /** The maximum duration of a pull. */
  readonly pullTimeoutMs: number
  /** The maximum silence of a pull. */
  readonly stallTimeoutMs: number
  readonly attempts: number
  /** Registries in the node's own network that the operator allows, such as `10.0.0.5:5000`. */
  readonly internalRegistries: readonly string[]
}

export const IMAGE_DEFAULTS: ImageSettings = {
  pullTimeoutMs: 15 * 60_000,
  stallTimeoutMs: 90_000,
  attempts: 4,
  internalRegistries: [],
}

export interface WantedImage {
  readonly reference: string
  /** The images in the server's template. */
  readonly listed: readonly string[]
}

export interface PreparedImage {
  /** The content's id: a container made from it cannot get another image when a name is moved. */
  readonly id: string
  /** Paths that the image declares as volumes. */
  readonly volumes: readonly string[]
}

export type ImageOutcome =
  | { readonly ok: true; readonly image: PreparedImage; readonly pulled: boolean }
  /** `IMAGE_MISSING`: a local image that is not on the node. `IMAGE_UNAVAILABLE`: the registry does not provide it. */
  | {
      readonly ok: false
      readonly code: 'IMAGE_MISSING' | 'IMAGE_UNAVAILABLE' | 'ENGINE_UNREACHABLE'
      readonly message: string
    }

export interface ImageDeps {
  readonly engine: DockerEngine
  readonly clock: Clock
  readonly timers: Timers
  readonly random: RandomSource
  /** Logins for registries that require one; absent: this node has none. */
  readonly logins?: Pick<RegistryLogins, 'of'> | undefined
  readonly log?: Pick<Log, 'error'> | undefined
}

type Pinned = Extract<ImageReference, { kind: 'pinned' }>
type Line = (text: string) => void
type PullResult = { readonly ok: true } | { readonly ok: false; readonly message: string; readonly mayRepeat: boolean }

/** Downloads images to the node. Servers that need the same image at the same time share one pull. */
export class DockerImages {
  private readonly deps: ImageDeps
  private readonly settings: ImageSettings
  private readonly pulls = new Map<string, { readonly outcome: Promise<ImageOutcome>; readonly lines: Set<Line> }>()

  constructor(deps: ImageDeps, settings: Partial<ImageSettings> = {}) {
    this.deps = deps
    this.settings = { ...IMAGE_DEFAULTS, ...settings }
  }

  /**
   * The image of a server: one of its template's list, by digest or local. Throws an AgentError: `IMAGE_REFUSED` for an
   * image that is not listed, not pinned or from the node's own network, `IMAGE_UNAVAILABLE`, `RUNTIME_UNREACHABLE`.
   */
  async prepare({ reference, listed }: WantedImage, progress: Line): Promise<PreparedImage> {
    // The list was enforced when the server was ordered; the node trusts neither that check nor the list's format.
    const verdict = allowImage(reference, listed, this.settings.internalRegistries)
    if (!verdict.ok) throw new AgentError('IMAGE_REFUSED', verdict.message)
    const outcome = await this.ensure(verdict.image, progress)
    if (outcome.ok) return outcome.image
    const isUnreachable = outcome.code === 'ENGINE_UNREACHABLE'
    const code = isUnreachable ? 'RUNTIME_UNREACHABLE' : 'IMAGE_UNAVAILABLE'
    throw new AgentError(code, outcome.message, { retryable: isUnreachable })
  }

  /**
   * Ensures that the image is on the node. An image present by digest is not requested from the registry again, so that
   * a failing registry affects only missing images. `line` receives the progress for the installation's output.
   */
  async ensure(image: ImageReference, line: Line): Promise<ImageOutcome> {
    const found = await this.find(image)
    if (found.ok) return { ok: true, image: found.value, pulled: false }
    if (found.code === 'UNREACHABLE') return { ok: false, code: 'ENGINE_UNREACHABLE', message: found.message }
    if (image.kind === 'local') {
      const message = `The image ${image.reference} is marked as local, and it is not on this node.`
      return { ok: false, code: 'IMAGE_MISSING', message }
    }
    const reference = referenceOf(image)
    const running = this.pulls.get(reference)
    if (running) {
      running.lines.add(line)
      return running.outcome
    }
    const lines = new Set([line])
    const outcome = this.pullAll(image, (text) => {
      for (const each of lines) each(text)
    }).finally(() => this.pulls.delete(reference))
    this.pulls.set(reference, { outcome, lines })
    return outcome
  }

  /** The image on the node; a pinned one only with exactly that content. */
  private async find(image: ImageReference): Promise<EngineAnswer<PreparedImage>> {
    const reference = referenceOf(image)
    const answer = await this.deps.engine.ask('look for an image', (docker) => docker.getImage(reference).inspect())
    if (!answer.ok) return answer
    const { Id: id, RepoDigests: digests, Config: config } = answer.value
    const isExact = image.kind === 'local' || digests?.some((known) => known.endsWith(`@${image.digest}`))
    return isExact
      ? { ok: true, value: { id, volumes: Object.keys(config.Volumes ?? {}) } }
      : { ok: false, code: 'NOT_FOUND', message: 'another content has this name' }
  }

  /** Pulls until it is present or permanently unavailable. Failures are also logged for staff. */
  private async pullAll(image: Pinned, line: Line): Promise<ImageOutcome> {
    const reference = referenceOf(image)
    line(`Image: pulling ${reference}`)
    let message = ''
    for (let attempt = 0; attempt < this.settings.attempts; attempt += 1) {
      const result = await this.pullOnce(image, line)
      if (result.ok) {
        const found = await this.find(image)
        if (found.ok) return { ok: true, image: found.value, pulled: true }
        return {
          ok: false,
          code: 'IMAGE_UNAVAILABLE',
          message: `The image was pulled and is not there: ${found.message}`,
        }
      }
      message = result.message
      line(`Image: ${message}`)
      if (!result.mayRepeat) break
      if (attempt + 1 < this.settings.attempts) {
        const pauseMs = reconnectDelayMs(attempt + 1, this.deps.random)
        line(`Image: trying again in ${Math.ceil(pauseMs / 1000)} s`)
        await sleep(this.deps.timers, pauseMs)
      }
    }
    this.deps.log?.error({ image: reference, reason: message, operator: true }, 'an image could not be pulled')
    return { ok: false, code: 'IMAGE_UNAVAILABLE', message: `The image ${reference} could not be pulled: ${message}` }
  }

  private async pullOnce(image: Pinned, line: Line): Promise<PullResult> {
    const registry = registryOf(image.name)
    const found = this.deps.logins?.of(registry) ?? { ok: true, login: undefined }
    if (!found.ok) return { ...found, mayRepeat: false }
    const result = await this.pullWith(found.login, referenceOf(image), line)
    return result.ok ? result : { ...result, message: explainPull(result.message, registry, found.login) }
  }

  private async pullWith(login: RegistryLogin | undefined, reference: string, line: Line): Promise<PullResult> {
    const { engine } = this.deps
    const life = new AbortController()
    const options = login === undefined ? {} : { authconfig: login }
    // The engine responds to a pull only after the registry has, so opening it is as slow as the registry.
    const opened = await engine.open('pull an image', (docker) => docker.pull(reference, options), {
      signal: life.signal,
      timeoutMs: this.settings.stallTimeoutMs,
    })
    if (!opened.ok) return { ok: false, message: opened.message, mayRepeat: isWorthRepeating(opened.message) }
    const result = await this.readPull(opened.value, line)
    life.abort()
    return result
  }

  /** Reads the engine's response to its end, to silence, or until it takes too long. */
  private readPull(stream: NodeJS.ReadableStream, line: Line): Promise<PullResult> {
    const { timers } = this.deps
    return new Promise<PullResult>((resolve) => {
      const fail = (message: string): void => resolve({ ok: false, message, mayRepeat: isWorthRepeating(message) })
      const tooLong = timers.after(this.settings.pullTimeoutMs, () =>
        resolve({ ok: false, message: 'the pull took too long', mayRepeat: false }),
      )
      let stall = (): void => {}
      const waitForMore = (): void => {
        stall()
        stall = timers.after(this.settings.stallTimeoutMs, () => fail('the registry stopped sending'))
      }
      waitForMore()
      const read = this.reader(line, fail)
      stream.setEncoding('utf8')
      stream.on('data', (piece: string) => {
        waitForMore()
        read(piece)
      })
      stream.on('end', () => resolve({ ok: true }))
      stream.on('error', (error: Error) => fail(error.message))
      stream.on('close', () => {
        stall()
        tooLong()
        fail('the engine broke off')
      })
    })
  }

  private reader(line: Line, fail: (message: string) => void): (piece: string) => void {
    const { clock } = this.deps
    const progress = new PullProgress()
    const show = (text: string | undefined): void => {
      if (text !== undefined) line(text)
    }
    return lineReader((text) => {
      const told = parsePullLine(text)
      if (told.error !== undefined) {
        show(progress.finish(clock.now()))
        fail(told.error)
      } else if (told.status?.startsWith('Digest:') ?? false) show(progress.finish(clock.now()))
      else show(progress.add(told, clock.now()))
    })
  }
}

const parsePullLine = (text: string): PullLine => {
  try {
    const told: unknown = JSON.parse(text)
    return typeof told === 'object' && told !== null ? told : {}
  } catch {
    return {}
  }
}
