import type { Zone } from '@gantry/contract/openstack/zones'
import { expect, test } from 'vitest'
import { matching } from './zone-search.ts'

const zone = (name: string, openStackName: string) => ({ name, openStackName }) as Zone
const items = [zone('blue', 'Berlin'), zone('red', 'berlin.two'), zone('green', 'paris')]
const all = { items, requestPage: 1, pageSize: 1000, totalSize: 3 }
const names = (keyword: string, page = 1, pageSize = 10) =>
  matching(all, { keyword, page, pageSize }).items.map(({ name }) => name)

test('finds by the zone’s name or its OpenStack’s, case-insensitively', () => {
  expect(names('')).toEqual(['blue', 'red', 'green'])
  expect(names('RE')).toEqual(['red', 'green'])
  expect(names(' berlin ')).toEqual(['blue', 'red'])
  expect(names('nothing')).toEqual([])
})

test('answers a page of the found zones, and their number', () => {
  expect(names('berlin', 2, 1)).toEqual(['red'])
  expect(matching(all, { keyword: 'berlin', page: 2, pageSize: 1 })).toMatchObject({ totalSize: 2, requestPage: 2 })
  expect(matching({ ...all, totalSize: 4 }, { keyword: '', page: 1, pageSize: 10 }).truncated).toBe(true)
})
