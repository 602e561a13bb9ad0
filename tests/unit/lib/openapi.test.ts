import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_ROUTES } from '#contracts/http/routes/routes.ts'
import { openApiDocument } from '../../../src/lib/openapi.ts'

const NOT_IN_THE_TABLE = ['/api/openapi.json', '/api/internal/revalidate']

test('every route file has a row in the table and every row a file', () => {
  const files = readdirSync('src/app/api', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('route.ts'))
    .map((path) => `/api/${path.replace(/\/route\.ts$/, '').replaceAll(/\[(\w+)\]/g, '{$1}')}`)
    .filter((path) => !NOT_IN_THE_TABLE.includes(path))
  const rows = Object.keys(API_ROUTES).map((name) => name.split(' ')[1])
  expect([...new Set(rows)].sort()).toEqual(files.sort())
})

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
