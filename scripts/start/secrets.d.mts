export function loadSecrets(file: string): Record<string, string>
