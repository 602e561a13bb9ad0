export function contentHash(paths: string[], skip?: RegExp): string
