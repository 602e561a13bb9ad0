import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import { stopMethodOf } from '#contracts/agent/stop-method.ts'
import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import type { ChosenImages } from './choose-image.ts'
import type { Limits } from './limits.ts'

const STOP_TIMEOUT_MS = 30_000
const INSTALL_TIMEOUT_MS = 20 * 60 * 1000
const PIDS = 512

export type SpecFacts = {
  readonly id: string
  readonly identifier: string
  readonly name: string
  readonly template: TemplateRow
  readonly images: Pick<ChosenImages, 'image' | 'installImage' | 'images'>
  readonly limits: Limits
  readonly allocations: ServerSpec['allocations']
}

/**
 * The first desired state of a server, from its template with the variables' defaults. Placeholders remain in it; the
 * node fills them in.
 */
export function serverSpecOf(facts: SpecFacts): ServerSpec {
  const { template, limits } = facts
  return {
    id: facts.id,
    identifier: facts.identifier,
    generation: 1,
    name: facts.name,
    image: facts.images.image,
    installImage: facts.images.installImage,
    images: [...facts.images.images],
    install: template.installation.map(({ argv, timeoutMs }) => ({ argv, timeoutMs: timeoutMs ?? INSTALL_TIMEOUT_MS })),
    startup: { argv: template.startup_argv },
    doneTexts: template.done_texts,
    stop: stopMethodOf(template.stop_command),
    stopTimeoutMs: STOP_TIMEOUT_MS,
    environment: Object.fromEntries(
      template.variables.map((variable) => [variable.environmentVariable, variable.default]),
    ),
    allocations: facts.allocations,
    limits: { cpuPercent: limits.cpuPercent, memoryMiB: limits.memoryMiB, storageMiB: limits.storageMiB, pids: PIDS },
    suspended: false,
    query: template.query_type === null ? null : { type: template.query_type, port: template.query_port },
  }
}
