import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServerSpec } from '#contracts/agent/server-spec.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const image = (letter: string) => `ghcr.io/bakter/java@sha256:${letter.repeat(64)}`
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
  await database.owner.query("update control.nodes set runtime = 'docker'")
})
afterAll(() => database.close())

const offer = (images: readonly string[], installation: string | null = null) =>
  database.owner.query(
    `update cms_api.templates set runtimes = '{docker}', docker_images = $1, installation_image = $2 where id = $3`,
    [JSON.stringify(images.map((each) => ({ label: each.slice(0, 4), image: each }))), installation, shop.templateId],
  )

async function order(dockerImage?: string) {
  const userId = await userWith(database.db, 5_000n)
  const chosen = dockerImage === undefined ? {} : { dockerImage }
  return placeOrder(orderContext(database.db), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S', ...chosen },
  })
}

async function specOf(placed: Awaited<ReturnType<typeof order>>) {
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  const [row] = await database.owner.query<{ spec: unknown }>('select spec from control.servers where id = $1', [
    serverId,
  ])
  return ServerSpec.parse(row?.spec)
}

describe('an order for a node with Docker', () => {
  it('the node receives the image, that of the installation, and the whole list', async () => {
    await offer([image('a'), '~bakter/java:21'], image('b'))
    expect(await specOf(await order())).toMatchObject({
      image: image('a'),
      installImage: image('b'),
      images: [image('a'), '~bakter/java:21', image('b')],
    })
    expect(await specOf(await order('~bakter/java:21'))).toMatchObject({ image: '~bakter/java:21' })
  })

  it.each([image('c'), image('b'), 'ghcr.io/bakter/java:21', 'file:///etc/passwd', ''])(
    'case 115: an order with the image %s, which is not in the list, is refused',
    async (wanted) => {
      await offer([image('a')], image('b'))
      expect(await order(wanted)).toEqual({ ok: false, code: 'IMAGE_NOT_LISTED' })
    },
  )

  it.each([
    ['no image', [], null],
    ['a tag', ['ghcr.io/bakter/java:21'], null],
    ['an installation by tag', [image('a')], 'ghcr.io/bakter/installers:debian'],
  ])('a template with %s, which the node would refuse, cannot be placed', async (_what, images, installation) => {
    await offer(images, installation)
    expect(await order()).toEqual({ ok: false, code: 'NO_CAPACITY' })
  })
})
