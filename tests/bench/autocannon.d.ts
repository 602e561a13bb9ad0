// The package carries no types; these are the parts that the benchmarks use.
declare module 'autocannon' {
  export type Options = {
    url: string
    headers?: Record<string, string>
    connections: number
    duration?: number
    amount?: number
    /** Each connection sends these in turn. */
    requests?: readonly { headers?: Record<string, string> }[]
  }
  export type Result = {
    requests: { average: number; total: number }
    duration: number
    latency: { p99: number }
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
