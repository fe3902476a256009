import { expect, test } from 'vitest'
import type { PermissionType } from '@gantry/contract/auth/session'
import { differenceOf, keysOf, matching, matrixOf, shareOf } from './permission-matrix.ts'

const permission = (name: string, type: PermissionType) => ({ name, type, enable: false, detail: '', calls: [] })

test('permissions become a table for each area, and a row for each thing', () => {
  const areas = matrixOf([
    {
      module: 'stacks',
      type: 'team',
      enable: false,
      permissions: [
        permission('stack_service_create', 'create'),
        permission('stack_service_view', 'view'),
        permission('stack_stack_view', 'view'),
      ],
    },
    {
      module: 'pipelines',
      type: 'team',
      enable: false,
      permissions: [permission('pipeline_build_execute', 'execute')],
    },
    // The same permission in two modules is one checkbox.
    { module: 'sample', type: 'team', enable: false, permissions: [permission('stack_service_view', 'view')] },
  ])
  expect(areas).toEqual([
    { key: 'pipeline', things: [{ key: 'pipeline_build', keys: { execute: 'pipeline_build_execute' } }] },
    {
      key: 'stack',
      things: [
        { key: 'stack_service', keys: { create: 'stack_service_create', view: 'stack_service_view' } },
        { key: 'stack_stack', keys: { view: 'stack_stack_view' } },
      ],
    },
  ])
  expect(areas.flatMap(keysOf)).toHaveLength(4)
})

const areas = matrixOf([
  {
    module: 'stacks',
    type: 'team',
    enable: false,
    permissions: [permission('stack_service_view', 'view'), permission('stack_stack_delete', 'delete')],
  },
  { module: 'pipelines', type: 'team', enable: false, permissions: [permission('pipeline_build_view', 'view')] },
])

test('a search keeps the rows whose texts contain every word', () => {
  const texts = (area: { key: string }, thing: { key: string }) => `${area.key} ${thing.key}`
  const found = (typed: string) => matching(areas, typed, texts).flatMap(({ things }) => things.map(({ key }) => key))
  expect(found('')).toHaveLength(3)
  expect(found('Stack service')).toEqual(['stack_service'])
  expect(found('build stack')).toEqual([])
})

test('a change consists of added and removed permissions', () => {
  expect(differenceOf(new Set(['a', 'b']), new Set(['b', 'd', 'c']))).toEqual({ added: ['c', 'd'], removed: ['a'] })
})

test.for([
  [[], 'none'],
  [['a'], 'some'],
  [['a', 'b'], 'all'],
] as const)('the state of two boxes %j is %s', ([chosen, share]) => {
  expect(shareOf(['a', 'b'], new Set(chosen))).toBe(share)
})
