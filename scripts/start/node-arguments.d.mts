export declare const AGENT_ARGUMENTS: readonly string[]
export declare const SITE_ARGUMENTS: readonly string[]
export declare function nodeArguments(isDevelopment: boolean): string[]
