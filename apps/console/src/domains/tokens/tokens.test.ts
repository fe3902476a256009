import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { PermissionType } from '@gantry/contract/auth/session'
import { followLine, listLine, triggerLine } from './lines.ts'
import { chosenBy } from './presets.ts'

// `enable` refers to the team in which the catalogue was read, not to this one
const permission = (name: string, type: PermissionType) => ({
  name,
  type,
  enable: name === 'pipeline_pipeline_view',
  detail: '',
  calls: [],
})
const modules = [
  {
    module: 'pipelines',
    type: 'team' as const,
    enable: false,
    permissions: [
      permission('pipeline_build_view', 'view'),
      permission('pipeline_build_execute', 'execute'),
      permission('pipeline_pipeline_view', 'view'),
      permission('pipeline_pipeline_edit', 'edit'),
    ],
  },
]

test.for([
  ['trigger', ['pipeline_build_view', 'pipeline_build_execute']],
  ['read', ['pipeline_build_view']],
  ['all', ['pipeline_build_view', 'pipeline_build_execute', 'pipeline_pipeline_edit']],
] as const)('the preset %s selects from the user’s permissions', ([preset, keys]) => {
  expect([...chosenBy(preset, modules, (name) => name !== 'pipeline_pipeline_view')]).toEqual(keys)
})

/** The arguments that a shell passes to the program. */
const words = (line: string): string[] =>
  execFileSync('sh', ['-c', line.replace(/^curl/, `printf '%s\\n'`)], { env: { GANTRY_TOKEN: 'gt_x' } })
    .toString()
    .trim()
    .split('\n')

test('the commands contain method, address and headers, and read the secret from the environment', () => {
  expect(words(listLine('https://gantry.example', 3))).toEqual([
    '-fsS',
    '-X',
    'GET',
    'https://gantry.example/api/tenants/3/pipelines?pageSize=20',
    '-H',
    'Authorization: Bearer gt_x',
    '-H',
    'Accept: application/vnd.gantry.v1+json',
  ])
  expect(words(triggerLine('https://gantry.example', 8)).slice(2)).toEqual([
    'POST',
    'https://gantry.example/api/v2/pipelines/8/trigger/manual',
    '-H',
    'Authorization: Bearer gt_x',
    '-H',
    'Accept: application/vnd.gantry.v1+json',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{}',
  ])
  expect(words(followLine("https://it's.example", 8))[3]).toBe("https://it's.example/api/v2/pipelines/8/current")
})
