import * as z from 'zod'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import { ErrorBody } from '#contracts/http/errors.ts'

type Row = {
  summary: string
  auth: 'none' | 'user' | 'administrator'
  path?: z.ZodObject
  query?: z.ZodObject
  input?: z.ZodType
  takes?: 'file'
  output: z.ZodType
  gives?: string
  status?: number
  session?: 'by the read'
  idempotency?: 'required' | 'optional'
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const jsonBody = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: schemaOf(schema, io) },
})

const fileBody = (type: string) => ({ [type]: { schema: { type: 'string', format: 'binary' } } })

const requestOf = ({ input, takes }: Row) => {
  if (!input) return {}
  const content = takes === 'file' ? fileBody('application/octet-stream') : jsonBody(input, 'input')
  return { requestBody: { required: true, content } }
}

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }))

const idempotencyParameter = (row: Row) =>
  row.idempotency === undefined
    ? []
    : [{ name: 'Idempotency-Key', in: 'header', required: row.idempotency === 'required', schema: { type: 'string' } }]

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** `GET /api/server/{id}/size` becomes `getServerByIdSize`, the operation's name in generated clients. */
const operationIdOf = (method: string, path: string): string => {
  const words = path
    .replace(/^\/api\//, '')
    .replaceAll('{', 'by-')
    .split(/[^a-z0-9]+/i)
  return `${method}${words.map(capital).join('')}`
}

const REFUSAL = {
  description: 'Refusal',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const AGE = {
  description: 'Seconds since the control plane last kept the answer up to date. Absent while it runs.',
  schema: { type: 'integer', minimum: 0 },
}

const operationOf = (operationId: string, row: Row) => ({
  operationId,
  summary: row.summary,
  security: row.auth === 'none' ? [] : [{ bearer: [] }, { cookie: [] }],
  parameters: [...parametersOf(row.path, 'path'), ...parametersOf(row.query, 'query'), ...idempotencyParameter(row)],
  ...requestOf(row),
  responses: {
    [row.status ?? 200]: {
      description: 'Success',
      ...(row.session === undefined ? {} : { headers: { Age: AGE } }),
      content: row.gives === undefined ? jsonBody(row.output, 'output') : fileBody(row.gives),
    },
    '4XX': REFUSAL,
    '5XX': REFUSAL,
  },
})

/** The OpenAPI 3.1 description of the site's API, generated from the table that also defines its routes. */
export const openApiDocument = (siteUrl: string) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, row] of Object.entries(API_ROUTES) as [string, Row][]) {
    const [verb = '', path = ''] = name.split(' ')
    const method = verb.toLowerCase()
    paths[path] = { ...paths[path], [method]: operationOf(operationIdOf(method, path), row) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bakter',
      version: '1',
      description: 'The HTTP API of the site. Amounts are in whole forints.',
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
    },
    servers: [{ url: siteUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'bakter_access' },
      },
    },
  }
}
