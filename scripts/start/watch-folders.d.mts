export function watchFolders(
  roots: string[],
  options: { onChange: () => void; onFault: (error: Error) => void },
): () => void
