declare module 'gamedig' {
  export class GameDig {
    static query(options: {
      type: string
      host: string
      address: string
      port: number
      givenPortOnly: boolean
      maxRetries: number
      socketTimeout: number
      attemptTimeout: number
      stripColors: boolean
    }): Promise<unknown>
  }
}
