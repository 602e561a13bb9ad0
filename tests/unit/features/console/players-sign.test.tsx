// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { PlayersSeen } from '../../../../src/contracts/panel/players.ts'
import { PlayersSign } from '../../../../src/features/console/players-sign.tsx'
import { shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => page.close())

const show = (players: PlayersSeen) => {
  page = shownPage(<PlayersSign players={players} />, {})
}

test('shows the count, and on request the names as text', async () => {
  show({ state: 'answered', online: 3, max: 20, names: ['<b>Kovi77</b>', 'Panni'] })
  const sign = await page.see('button.con-players', '3 / 20 players')
  sign.click()
  await page.see('.con-player-list', '<b>Kovi77</b>')
  expect(page.text()).toContain('Panni')
  expect(page.text()).toContain("The game doesn't name 1 player.")
  expect(page.find('.con-player-list b')).toBeUndefined()
  expect(page.find('img')).toBeUndefined()
})

test('says that nobody plays', async () => {
  show({ state: 'answered', online: 0, max: 20, names: [] })
  const sign = await page.see('button.con-players', '0 / 20 players')
  sign.click()
  await page.see('dialog', 'Nobody is playing right now.')
  expect(page.find('.con-player-list')).toBeUndefined()
})

test("says that the game isn't responding, and offers no list", async () => {
  show({ state: 'silent' })
  await page.see('.con-players', "players: the game isn't responding")
  expect(page.find('button')).toBeUndefined()
})

test('closes its list when the game misses an answer, and does not open it again by itself', async () => {
  const answered: PlayersSeen = { state: 'answered', online: 1, max: 20, names: ['Panni'] }
  const Minutes = () => {
    const [players, setPlayers] = useState<PlayersSeen>(answered)
    const isSilent = players.state === 'silent'
    return (
      <>
        <PlayersSign players={players} />
        <i className="minute" onClick={() => setPlayers(isSilent ? answered : { state: 'silent' })} />
      </>
    )
  }
  page = shownPage(<Minutes />, {})
  ;(await page.see('button.con-players', '1 / 20 players')).click()
  await page.see('.con-player-list', 'Panni')
  const minute = page.find('.minute') as HTMLElement
  minute.click()
  await page.see('.con-players', "players: the game isn't responding")
  minute.click()
  await page.see('button.con-players', '1 / 20 players')
  expect(page.find('.con-player-list')).toBeUndefined()
})
