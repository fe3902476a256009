import { expect, test } from 'vitest'
import { keysOf, matrixOf } from './permission-matrix.ts'

test('permissions become a table for each area, a line for each thing', () => {
  const areas = matrixOf([
    {
      module: 'stacks',
      permissions: [
        { name: 'stack_service_create', type: 'create' },
        { name: 'stack_service_view', type: 'view' },
        { name: 'stack_stack_view', type: 'view' },
      ],
    },
    { module: 'pipelines', permissions: [{ name: 'pipeline_build_execute', type: 'execute' }] },
    // The same permission in two modules is one box.
    { module: 'sample', permissions: [{ name: 'stack_service_view', type: 'view' }] },
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
