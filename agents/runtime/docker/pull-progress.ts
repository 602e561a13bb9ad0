/** One line of the engine's response to a pull. */
export interface PullLine {
  readonly status?: string
  readonly id?: string
  readonly error?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
}

interface Layer {
  current: number
  total: number
  isDone: boolean
}

const MB = 1_000_000
const PERIOD_MS = 1_000
const DONE = new Set(['Download complete', 'Pull complete', 'Already exists', 'Verifying Checksum', 'Extracting'])
const IS_LAYER = /^[a-f0-9]{12}$/

/** Sums up the engine's reports on layers, and returns at most one line per second for the installation's output. */
export class PullProgress {
  private readonly layers = new Map<string, Layer>()
  private lastLineMs = Number.NEGATIVE_INFINITY
  private lastText = ''

  /** The line to show now, or undefined. `nowMs` is the agent's clock. */
  add(line: PullLine, nowMs: number): string | undefined {
    if (line.id === undefined || !IS_LAYER.test(line.id) || line.status === undefined) return undefined
    const layer = this.layers.get(line.id) ?? { current: 0, total: 0, isDone: false }
    this.layers.set(line.id, layer)
    const { current = 0, total = 0 } = line.progressDetail ?? {}
    if (DONE.has(line.status)) {
      layer.isDone = true
      layer.current = layer.total
    } else if (line.status === 'Downloading') {
      // The engine restarts a layer when its download broke off.
      layer.isDone = false
      layer.current = current
      layer.total = Math.max(total, current)
    }
    if (nowMs - this.lastLineMs < PERIOD_MS) return undefined
    return this.show(nowMs)
  }

  /** The last state, unless it was shown already. */
  finish(nowMs: number): string | undefined {
    return this.layers.size === 0 ? undefined : this.show(nowMs)
  }

  private show(nowMs: number): string | undefined {
    const layers = [...this.layers.values()]
    const done = layers.filter(({ isDone }) => isDone).length
    const current = layers.reduce((sum, layer) => sum + layer.current, 0)
    const total = layers.reduce((sum, layer) => sum + layer.total, 0)
    // Sizes become known layer by layer, so a percentage of the bytes alone would keep falling.
    const percent = Math.floor((100 * layers.reduce((sum, layer) => sum + shareOf(layer), 0)) / layers.length)
    const bytes = `${(current / MB).toFixed(1)} of ${(total / MB).toFixed(1)} MB`
    const text = `Image: ${done} of ${layers.length} layers, ${bytes}, ${percent} %`
    if (text === this.lastText) return undefined
    this.lastText = text
    this.lastLineMs = nowMs
    return text
  }
}

const shareOf = (layer: Layer): number => {
  if (layer.isDone) return 1
  return layer.total === 0 ? 0 : layer.current / layer.total
}

/** Whether a retry at the registry may help. Missing or forbidden images stay so. */
export const isWorthRepeating = (message: string): boolean =>
  !/unauthorized|denied|forbidden|not found|manifest unknown|name unknown|no basic auth|invalid reference|unsupported|no matching manifest|HTTP 40[13]\b|status:? 40[13]\b/i.test(
    message,
  )
