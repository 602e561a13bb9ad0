import { expect, test } from 'vitest'
import { API_ROUTES } from '#contracts/http/routes/routes.ts'
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
