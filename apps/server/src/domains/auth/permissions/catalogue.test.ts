import { endpoint } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogueOf, moduleOf } from './catalogue.ts'

const call = (path: `/${string}`, permission: string, asks: string[] = []) =>
  endpoint({ method: 'GET', path, access: { team: 'teamId', permission }, asks, summary: 'A call', data: z.null() })

test.for([
  ['stack_service_view', ['sample', 'stacks'], 'stacks'],
  ['team_token_create', ['tokens'], 'tokens'],
  ['team_role_view', ['teams', 'auth'], 'teams'],
  ['resource_cluster_view', ['dashboard', 'clusters'], 'clusters'],
  ['system_ldap_view', ['ldap', 'auth'], 'ldap'],
  ['image_registry_view', ['images'], 'images'],
] as const)('%s belongs to the domain named like its object, whatever the order of domains', ([key, askers, home]) => {
  expect(moduleOf(key, new Set(askers))).toBe(home)
  expect(moduleOf(key, new Set(askers.toReversed()))).toBe(home)
})

test('a key without a plain domain or known verb is an error', () => {
  expect(() => moduleOf('a_b_view', new Set(['x', 'y']))).toThrow('no home')
  expect(() => catalogueOf([{ file: 'x/x.ts', value: call('/x', 'a_b_touch') }])).toThrow('does not end with')
})

test('permissions that a call requires besides its access are in the catalogue too', () => {
  const found = catalogueOf([
    { file: 'stacks/stacks.ts', value: call('/b', 'stack_stack_view') },
    { file: 'sample/sample.ts', value: call('/a', 'stack_stack_view', ['system_stack_view']) },
  ])
  expect(found).toEqual([
    { name: 'stack_stack_view', type: 'view', module: 'stacks', of: 'team', calls: ['GET /a', 'GET /b'] },
    { name: 'system_stack_view', type: 'view', module: 'sample', of: 'system', calls: ['GET /a'] },
  ])
})
