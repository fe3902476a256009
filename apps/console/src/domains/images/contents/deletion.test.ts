import { expect, test } from 'vitest'
import { batchesOf, planOf } from './deletion.ts'

const digest = (of: string) => `sha256:${of.repeat(64)}`
const found = (tag: string, of: string, more: object = {}) => ({
  tag,
  digest: digest(of),
  done: true,
  goes: [tag],
  problem: null,
  ...more,
})

test('deletes the chosen tags and all others of their images; a refused tag stays with its reason', () => {
  const together = { done: false, goes: ['1', 'latest'], problem: { key: 'images-tag-together', text: 'more tags' } }
  const used = { done: false, problem: { key: 'images-tag-used', text: 'web runs it' } }
  expect(planOf([found('1', 'a', together), found('2', 'b'), found('3', 'c', used)])).toEqual({
    goes: [
      { tag: '1', digest: digest('a'), with: '' },
      { tag: '2', digest: digest('b'), with: '' },
      { tag: 'latest', digest: digest('a'), with: '1' },
    ],
    stays: [{ tag: '3', text: 'web runs it' }],
  })
})

test('never puts tags of one image in two calls', () => {
  const many = Array.from({ length: 1500 }, (_, at) => ({
    tag: `t${at}`,
    digest: digest(String(Math.floor(at / 150))),
  }))
  const batches = batchesOf(many)
  expect(batches.map(({ length }) => length)).toEqual([900, 600])
  expect(batches.flat()).toHaveLength(1500)
  const [first, second] = batches.map((batch) => new Set(batch.map(({ digest }) => digest)))
  expect([...(first ?? [])].filter((one) => second?.has(one))).toEqual([])
})
