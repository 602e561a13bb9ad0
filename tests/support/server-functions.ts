import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { APIRequestContext } from '@playwright/test'

const MANIFEST = fileURLToPath(new URL('../../.next/server/server-reference-manifest.json', import.meta.url))
const LAYOUT = 'src/app/(payload)/layout.tsx'

/** The id by which the build knows the function of the admin: every visitor can read it in a script of the admin. */
const functionId = (): string => {
  const { node } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { node: Record<string, { filename: string }> }
  const [id] = Object.entries(node).find(([, { filename }]) => filename === LAYOUT) ?? []
  if (id === undefined) throw new Error(`The build has no server function of ${LAYOUT}.`)
  return id
}

export type Answer = { readonly status: number; readonly text: string }

/** Calls a server function of the admin as its browser code does. */
export const callServerFunction = async (
  request: APIRequestContext,
  origin: string,
  call: { readonly name: unknown; readonly args?: object; readonly cookie?: string },
): Promise<Answer> => {
  const { cookie, ...sent } = call
  const answer = await request.post(`${origin}/admin`, {
    maxRedirects: 0,
    headers: {
      origin,
      'next-action': functionId(),
      'content-type': 'text/plain;charset=UTF-8',
      accept: 'text/x-component',
      ...(cookie === undefined ? {} : { cookie }),
    },
    data: JSON.stringify([{ args: {}, ...sent }]),
  })
  return { status: answer.status(), text: await answer.text() }
}
