// The package carries no types; these are the parts that the benchmarks use.
declare module 'autocannon' {
  export type Options = {
    url: string
    headers?: Record<string, string>
    connections: number
    duration?: number
    amount?: number
    /** Each connection sends these in turn. */
    requests?: readonly { path?: string; headers?: Record<string, string> }[]
    /** Threads that send, beside this one. */
    workers?: number
  }
  export type Result = {
    requests: { average: number; total: number }
    duration: number
    latency: { p99: number }
    non2xx: number
    errors: number
    '5xx': number
    statusCodeStats: Readonly<Record<string, { count: number }>>
  }
  export default function autocannon(options: Options): Promise<Result>
}
