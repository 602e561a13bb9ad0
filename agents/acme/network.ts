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

/**
 * Sends one request to an authority without following redirects. Rejects with AgentError DIRECTORY_UNREACHABLE without
 * a response.
 */
export type AcmeNetwork = (request: AcmeRequest) => Promise<AcmeAnswer>

/** Serves the http-01 challenge of one token with one text. Resolves with the close function. */
export type ChallengeResponder = (token: string, text: string) => Promise<() => Promise<void>>
