import { expect, test } from 'vitest'
import { clusters } from './clusters/clusters.ts'
import { hosts } from './clusters/hosts.ts'
import { pods } from './clusters/pods.ts'
import { storage } from './clusters/storage.ts'
import { users } from './users/users.ts'

const lists = {
  environments: clusters.list,
  hosts: hosts.list,
  'events of a host': hosts.events,
  pods: pods.list,
  events: pods.events,
  volumes: storage.volumes,
}

test.each(Object.entries(lists))('%s: a page size that is not a number means 50', (_, { query }) => {
  const size = (given: object) => query.safeParse(given).data?.pageSize
  expect([{}, { pageSize: 'abc' }, { pageSize: 'NaN' }].map(size)).toEqual([50, 50, 50])
  expect([{ pageSize: '7' }, { pageSize: 7 }, { pageSize: '-1' }].map(size)).toEqual([7, 7, -1])
  expect([{ pageSize: '0' }, { pageSize: '10000' }, { pageSize: '1.5' }, { pageSize: 'Infinity' }].map(size)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('refuses a page size that is not a number elsewhere', () => {
  expect(users.list.query.safeParse({ pageSize: 'abc' }).success).toBe(false)
})
