import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { API_ROUTES } from '#contracts/http/routes.ts'
import { openApiDocument } from '../../../src/api/openapi.ts'

test('the document describes each row', () => {
  const { paths } = openApiDocument('https://bakter.test')
  expect(
    Object.entries(paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .sort(),
  ).toEqual(Object.keys(API_ROUTES).sort())
  expect(paths['/api/orders']).toMatchObject({
    post: { parameters: [{ name: 'Idempotency-Key', in: 'header', required: true }], requestBody: { required: true } },
  })
  expect(paths['/api/server/{id}']).toMatchObject({ get: { parameters: [{ name: 'id', in: 'path', required: true }] } })
})

type Linter = {
  createConfig(config: { extends: string[] }): Promise<unknown>
  lintFromString(asked: { source: string; config: unknown }): Promise<{ ruleId: string; message: string }[]>
}

test('a published linter finds nothing in the document', async () => {
  // A tool is loaded when its test runs, so that nothing else depends on it.
  const { createConfig, lintFromString } = createRequire(import.meta.url)('@redocly/openapi-core') as Linter
  const source = JSON.stringify(openApiDocument('https://bakter.test'))
  const config = await createConfig({ extends: ['recommended-strict'] })
  expect((await lintFromString({ source, config })).map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  const spoilt = source.replace('"operationId":"getUserMe",', '')
  expect(await lintFromString({ source: spoilt, config })).toHaveLength(1)
})

test('each call has a name of its own, and a summary that is one short sentence', () => {
  const { paths } = openApiDocument('https://bakter.test')
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as {
    operationId: string
    summary: string
  }[]
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  expect(operations.map(({ summary }) => summary).filter((text) => !/^[A-Z][^.]{5,99}$/.test(text))).toEqual([])
})
