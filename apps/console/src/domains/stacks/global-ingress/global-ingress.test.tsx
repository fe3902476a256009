import type { GlobalRule } from '@gantry/contract/stacks/global-ingress'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { ada, openApp, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { routes } from '../routes.tsx'

useConsole()

const path = '/ingress/v1/api/ingress'
const rule: GlobalRule = {
  envId: '00000000-0000-4000-8000-000000000001',
  environment: 'east',
  teamId: 1,
  team: 'sales',
  stackId: 2,
  stackUuid: '00000000-0000-4000-8000-000000000002',
  stack: 'shop',
  serviceId: 3,
  service: 'out',
  serviceType: 'lb',
  group: '',
  protocol: 'HTTPS',
  port: 443,
  host: 'shop.example.com',
  path: '/api',
  url: 'https://shop.example.com/api',
}
const listOf = <T,>(items: T[]) => ({ items, requestPage: 1, pageSize: 10, totalSize: items.length })

beforeEach(() => {
  signedIn({ ...ada, admin: true })
  server({
    [`GET ${path}/global_route_rules`]: listOf([rule]),
    [`GET ${path}/global_detail_route_rules`]: listOf([rule]),
    [`GET ${path}/every_route_rule`]: listOf([rule]),
  })
})

test('each rule links to its service, its host and its port', async () => {
  await openApp('/teams/1/global-ingress/list', routes)
  const row = (await screen.findByRole('link', { name: 'out' })).closest('tr')
  if (!row) throw new Error('no row')
  const hrefOf = (name: string) => within(row).getByRole('link', { name }).getAttribute('href')
  expect(hrefOf('out')).toContain('/services/3/out/lb/')
  expect(hrefOf('shop.example.com')).toBe('/teams/1/global-ingress/list/protocol/HTTPS/host/shop.example.com')
  expect(hrefOf('443')).toBe('/teams/1/global-ingress/list/port/443')
})

test('the rules of a host are requested with its protocol', async () => {
  await openApp('/teams/1/global-ingress/list/protocol/HTTPS/host/shop.example.com', routes)
  await screen.findByRole('link', { name: 'out' })
  const request = sent.find((one) => one.path.includes('global_detail_route_rules'))
  expect(request?.query.get('protocol')).toBe('HTTPS')
  expect(request?.query.get('host')).toBe('shop.example.com')
})

test('an administrator sees the team of each rule', async () => {
  await openApp('/sysconfig/global-ingress', routes)
  const row = (await screen.findByRole('link', { name: 'out' })).closest('tr')
  if (!row) throw new Error('no row')
  within(row).getByText('sales')
})
