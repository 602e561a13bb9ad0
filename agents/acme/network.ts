export interface AcmeRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface AcmeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Asks an authority once and follows nothing. Rejects with AgentError DIRECTORY_UNREACHABLE when there is no answer. */
export type AcmeNetwork = (request: AcmeRequest) => Promise<AcmeAnswer>

/** Opens what answers the check http-01 of one token with one text. Resolves with how to close it again. */
export type ChallengeResponder = (token: string, text: string) => Promise<() => Promise<void>>
