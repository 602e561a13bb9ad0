'use client'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { nameOf } from '#contracts/panel/file-path.ts'
import { DescribedFiles, isDescribable } from '#contracts/panel/described-files.ts'
import type { DescribedFile } from '#contracts/panel/described-files.ts'
import { propertiesForm, serverPropertiesForm } from '#domain/config-files/config-form.ts'
import type { ConfigForm } from '#domain/config-files/config-form.ts'
import { SERVER_PROPERTIES_FILE } from '#domain/config-files/server-properties.ts'
import { api } from '@/lib/browser-client/browser-client.ts'
import type { Files } from '../files-context.tsx'

/** The form of a file that is open. */
export type OpenForm = {
  readonly form: ConfigForm
  /** The description of the file by the server's template, with its texts; null for Minecraft's own one, which the panel knows. */
  readonly described: DescribedFile | null
  /** The line where a text stops being of its format, where that can be said. */
  readonly wrongLine?: (text: string) => number | undefined
}

/** Whether the server's template describes the file. */
export const isDescribed = (form: OpenForm | null): boolean => form !== null && form.described !== null

const MINECRAFTS: OpenForm = { form: serverPropertiesForm, described: null }

const describedQuery = (serverId: string) =>
  queryOptions({
    queryKey: ['described-files', serverId],
    queryFn: ({ signal }) =>
      api.call(`/api/server/${encodeURIComponent(serverId)}/described-files`, { schema: DescribedFiles, signal }),
    // Staff may describe another file meanwhile.
    staleTime: 60_000,
    retry: false,
  })

const formOf = async (described: DescribedFile): Promise<OpenForm> => {
  const { format, fields } = described
  if (format === 'properties') return { form: propertiesForm(fields), described }
  // Nobody loads the reader of YAML who opens no such file.
  const { wrongYamlLine, yamlForm } = await import('./yaml-values.ts')
  return { form: yamlForm(fields), described, wrongLine: wrongYamlLine }
}

/**
 * The form of the file at a path: null for one that nothing describes, undefined until that is known. A text of which nothing is
 * known, because the answer does not come, is a text alone.
 */
export const useOpenForm = (files: Files, path: string): OpenForm | null | undefined => {
  const client = useQueryClient()
  const isMinecrafts = nameOf(path) === SERVER_PROPERTIES_FILE
  const mayBeDescribed = !isMinecrafts && isDescribable(path)
  const { id } = files.server
  const queryKey = ['described-files', id, path]
  const { data } = useQuery({
    queryKey,
    queryFn: async (): Promise<OpenForm | null> => {
      try {
        const { files: all } = await client.fetchQuery(describedQuery(id))
        const described = all.find((file) => file.path === path)
        return described === undefined ? null : await formOf(described)
      } catch {
        // A query without data would begin anew with the window's next focus, and the typed text would go with the editor.
        return client.getQueryData<OpenForm | null>(queryKey) ?? null
      }
    },
    enabled: mayBeDescribed,
    staleTime: Number.POSITIVE_INFINITY,
    // The next opening asks again.
    gcTime: 0,
    retry: false,
  })
  if (isMinecrafts) return MINECRAFTS
  return mayBeDescribed ? data : null
}
