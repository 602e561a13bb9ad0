// The package carries no types; these are the parts that the benchmarks use.
declare module 'autocannon' {
  export type Options = {
    url: string
    headers?: Record<string, string>
    connections: number
    duration?: number
    amount?: number
  }
  export type Result = {
    requests: { average: number; total: number }
    duration: number
    non2xx: number
    errors: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
