/** Why a service cannot be rented on this installation. */
export const UNAVAILABLE_REASONS = ['vps', 'template', 'image', 'runtime', 'node'] as const
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

type Offered = {
  readonly category: string
  readonly template:
    | { readonly runtimes: readonly string[]; readonly hasImages: boolean }
    /** The service has no template. */
    | undefined
}

/** Whether nodes of this runtime can install and run the template's servers. */
export const runsOn = ({ runtimes, hasImages }: NonNullable<Offered['template']>, runtime: string): boolean =>
  runtime === 'fake' || (runtimes.includes(runtime) && (runtime !== 'docker' || hasImages))

/** Null if a server of the service can be installed on one of the nodes, which are named by their runtime. */
export const unavailability = ({ category, template }: Offered, nodes: readonly string[]): UnavailableReason | null => {
  if (category === 'vps') return 'vps'
  if (template === undefined) return 'template'
  if (nodes.length === 0) return 'node'
  if (nodes.some((runtime) => runsOn(template, runtime))) return null
  return nodes.includes('docker') && template.runtimes.includes('docker') ? 'image' : 'runtime'
}
