import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repoIdOf, repositoryOfId, tagIdOf, tagOfId } from './keys.ts'

const part = fc.stringMatching(/^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/).filter((text) => text.length <= 40)
const repository = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
const tag = fc.stringMatching(/^\w[\w.-]{0,127}$/)
const registryId = fc.integer({ min: 1, max: 2_147_483_647 })

test('decodes an id to its repository and tag', () => {
  fc.assert(
    fc.property(registryId, repository, tag, (registryId, repository, tag) => {
      const key = { registryId, repository, tag }
      expect(tagOfId(tagIdOf(key))).toEqual(key)
      expect(repositoryOfId(repoIdOf(key))).toEqual({ registryId, repository })
      expect(repositoryOfId(tagIdOf(key))).toBeUndefined()
      expect(tagOfId(repoIdOf(key))).toBeUndefined()
    }),
  )
})

test('refuses any other text, and any other spelling of an id', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const key = tagOfId(text)
      expect(key === undefined ? text : tagIdOf(key)).toBe(text)
      const repository = repositoryOfId(text)
      expect(repository === undefined ? text : repoIdOf(repository)).toBe(text)
    }),
  )
  for (const wrong of [
    `${tagIdOf({ registryId: 1, repository: 'a', tag: '1' })}==`,
    btoa('0/a:1'),
    btoa('1/../a:1'),
    btoa('1/A:1'),
    btoa(`1/${'a'.repeat(256)}:1`),
    btoa(`1/a:${'t'.repeat(129)}`),
    btoa('2147483648/a:1'),
  ])
    expect(tagOfId(wrong)).toBeUndefined()
})
