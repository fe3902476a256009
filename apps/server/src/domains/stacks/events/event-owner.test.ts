import { expect, test } from 'vitest'
import { serviceOfObject } from './event-owner.ts'

const services = ['web', 'web-api', 'web-7b', 'db']

test.for([
  ['Deployment', 'web', 'web'],
  ['Deployment', 'web-api', 'web-api'],
  ['Deployment', 'web-7b', 'web-7b'],
  ['Deployment', 'web-next', 'web'],
  ['ReplicaSet', 'web-6d5f8c9b7', 'web'],
  ['ReplicaSet', 'web-next-6d5f8c9b7', 'web'],
  ['Pod', 'web-6d5f8c9b7-x2x9k', 'web'],
  ['Pod', 'web-api-6d5f8c9b7-x2x9k', 'web-api'],
  ['Pod', 'web-7b-6d5f8c9b7-x2x9k', 'web-7b'],
  ['Pod', 'web-7b-x2x9k', 'web-7b'],
  ['Pod', 'db-0', 'db'],
  ['Job', 'db-29384739', 'db'],
  ['Pod', 'db-29384739-x2x9k', 'db'],
  ['PersistentVolumeClaim', 'web.data', 'web'],
  ['PersistentVolumeClaim', 'data-db-0', 'db'],
  ['PersistentVolumeClaim', 'data-web-api-0', 'web-api'],
  // the service was deleted, but its events still exist
  ['Pod', 'web-admin-6d5f8c9b7-x2x9k', undefined],
  ['Deployment', 'web-admin', undefined],
  ['Pod', 'website-6d5f8c9b7-x2x9k', undefined],
  ['Pod', 'we', undefined],
] as const)('%s %s is an object of %s', ([kind, name, service]) => {
  expect(serviceOfObject(services, { kind, name })).toBe(service)
})
