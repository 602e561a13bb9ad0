import { expect, test } from 'vitest'
import { stepsPath, STEPS_SIZE } from '../../../../../../src/cms/admin/tickets/figures/steps.ts'

const [left, middle, right] = [0, STEPS_SIZE.width / 2, STEPS_SIZE.width]
const [top, bottom] = [2, STEPS_SIZE.height - 2]

test('draws each value as a step to the highest one, as a line or as the area below it', () => {
  expect(stepsPath([4, 0], { highest: 4, isArea: false })).toBe(`M${left} ${top}V${top}H${middle}V${bottom}H${right}`)
  expect(stepsPath([4, 0], { highest: 4, isArea: true })).toBe(
    `M${left} ${bottom}V${top}H${middle}V${bottom}H${right}V${bottom}Z`,
  )
})

test('draws nothing without a value, and a flat line where nothing happened', () => {
  expect(stepsPath([], { highest: 1, isArea: true })).toBe('')
  expect(stepsPath([0], { highest: 0, isArea: false })).toBe(`M${left} ${bottom}V${bottom}H${right}`)
})
