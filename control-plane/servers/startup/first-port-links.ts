import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { TemplateVariable } from '#contracts/cms-api/rows.ts'
import { linkOfPlace, type PortLinks } from '#domain/startup/port-links.ts'

/** The links of a new server: its template says which variables contain which of its ports. */
export function firstPortLinks(
  variables: readonly TemplateVariable[],
  allocations: ServerSpec['allocations'],
): PortLinks {
  const links = variables.flatMap(({ environmentVariable, port }) => {
    const link = port === null || port === undefined ? undefined : linkOfPlace(port, allocations)
    return link === undefined ? [] : [[environmentVariable, link] as const]
  })
  return Object.fromEntries(links)
}
