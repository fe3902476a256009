import { randomUUID } from 'node:crypto'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { keepLatestOutOfLogs, keepOutOfLogs, maskKnown } from './masking.ts'

test('of what an owner replaces the last two are masked, and it pushes no other secret out', () => {
  const other = randomUUID()
  keepOutOfLogs(other)
  const theirs = randomUUID()
  keepLatestOutOfLogs('another', theirs)
  const tokens = Array.from({ length: 4_100 }, () => randomUUID())
  for (const token of tokens) keepLatestOutOfLogs('one', token)
  const shown = maskKnown([other, theirs, ...tokens.slice(-3)].join(' '))
  expect(shown).toBe([mask, mask, tokens.at(-3), mask, mask].join(' '))
})

test('two that take turns stay masked', () => {
  const [first, second] = [randomUUID(), randomUUID()]
  for (let turn = 0; turn < 3; turn++) for (const one of [first, second]) keepLatestOutOfLogs('turns', one)
  expect(maskKnown(`${first} ${second}`)).toBe(`${mask} ${mask}`)
})
