import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

test('only differing fields are shown, by their path', () => {
  const before = { state: 'stable', spec: { replicas: 1, image: 'a:1', ports: [{ port: 80 }] } }
  const after = { state: 'upgrading', spec: { replicas: 3, image: 'a:1', ports: [{ port: 8080 }] } }
  expect(changesBetween(before, after)).toEqual([
    { path: 'state', before: 'stable', after: 'upgrading' },
    { path: 'spec.replicas', before: '1', after: '3' },
    { path: 'spec.ports.0.port', before: '80', after: '8080' },
  ])
})

test('a created or deleted object is shown completely', () => {
  expect(changesBetween(null, { name: 'x' })).toEqual([{ path: 'name', before: undefined, after: 'x' }])
  expect(changesBetween({ name: 'x' }, null)).toEqual([{ path: 'name', before: 'x', after: undefined }])
  expect(changesBetween(null, null)).toEqual([])
})

test('a list of texts is one value, and an emptied list differs from an absent one', () => {
  expect(changesBetween(['a', 'b'], ['a'])).toEqual([{ path: '', before: 'a\nb', after: 'a' }])
  expect(changesBetween({ tags: ['a'] }, { tags: [] })).toEqual([{ path: 'tags', before: 'a', after: '[]' }])
  expect(changesBetween({ teamId: null }, { teamId: 3 })).toEqual([{ path: 'teamId', before: 'null', after: '3' }])
})
