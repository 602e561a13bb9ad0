import { AgentError } from '../../platform/agent-error.ts'
import { valueOf } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import type { ImageStore, PreparedImage } from './task-launcher.ts'
import { allowImage } from './image-reference.ts'
import type { DockerImages } from './images.ts'

/** The images of templates for the driver: brought to the node, with what the container's options need to know of them. */
export class TemplateImages implements ImageStore {
  readonly #images: DockerImages
  readonly #engine: DockerEngine

  /** Hosts in the node's own network that the operator allows. */
  readonly #internalRegistries: readonly string[]

  constructor(images: DockerImages, engine: DockerEngine, internalRegistries: readonly string[]) {
    this.#images = images
    this.#engine = engine
    this.#internalRegistries = internalRegistries
  }

  async prepare(reference: string, progress: (text: string) => void): Promise<PreparedImage> {
    // The control plane takes it from the template's list; the node refuses once more what could change or lead inside.
    const verdict = allowImage(reference, [reference], this.#internalRegistries)
    if (!verdict.ok) throw new AgentError('PROGRAM_NOT_STARTED', verdict.message)
    const outcome = await this.#images.ensure(verdict.image, progress)
    if (!outcome.ok) {
      const retryable = outcome.code === 'ENGINE_UNREACHABLE'
      throw new AgentError(retryable ? 'RUNTIME_UNREACHABLE' : 'PROGRAM_NOT_STARTED', outcome.message, { retryable })
    }
    const told = valueOf(
      await this.#engine.ask('tell of an image', (docker) => docker.getImage(outcome.id).inspect()),
      'tell of an image',
    )
    return { id: outcome.id, volumes: Object.keys(told.Config.Volumes ?? {}) }
  }
}
