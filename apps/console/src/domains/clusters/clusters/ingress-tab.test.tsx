import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { expect, test } from 'vitest'
import { openPage, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { IngressTab } from './ingress-tab.tsx'

useConsole()

const uuid = '0b6a3f4e-7a52-4d0a-9a55-0d1b7f4c2e11'
const path = `GET /resource-manager/api/ingress-groups/environments/${uuid}`
const open = async (answer: unknown, { alone = true, ...more }: Record<string, unknown> = {}) => {
  signedIn({ admin: true })
  const cluster = { uuid, name: 'east', alone } as Partial<Cluster> as Cluster
  server({ [path]: answer, ...more })
  await openPage(() => <IngressTab cluster={cluster} />)
}
const group = (name: string, isDefault: boolean, hosts: object[]) => ({
  way: isDefault ? 'gateway' : 'ingress',
  name,
  controller: `k8s.io/${name}`,
  isDefault,
  hosts,
  createdAt: '2026-01-01T00:00:00Z',
})

test('each group links to the hosts that take its traffic, with their readiness', async () => {
  const host = (name: string, ready: boolean) => ({ name, ip: '10.0.0.1', ready })
  await open([group('nginx', true, [host('n1', true), host('n2', false)]), group('spare', false, [])])
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
  const nginx = await row('nginx')
  nginx.getByText('default group')
  nginx.getByText('GatewayClass')
  nginx.getByText('k8s.io/nginx')
  expect(nginx.getByRole('link', { name: 'n1' }).getAttribute('href')).toContain(`${uuid}/host/n1/10.0.0.1`)
  expect(nginx.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['n1ready', 'n2not ready'])
  const spare = await row('spare')
  spare.getByText('No hosts yet')
  spare.getByText('IngressClass')
  expect(spare.queryByText('default group')).toBeNull()
})

test('without a group it explains how to get one', async () => {
  await open([])
  await screen.findByRole('heading', { name: 'No ingress groups' })
  screen.getByText(/IngressClass.*Take ingress traffic/)
})

test('reports why a cluster cannot be reached', async () => {
  await open(() => refusal(503, 'kube-refused', 'The connection to 10.0.0.1 is refused'))
  await screen.findByText('The connection to 10.0.0.1 is refused')
})

test('a group is added for the existing controller', async () => {
  const post = path.replace('GET', 'POST')
  await open([group('nginx', false, [])], { [post]: group('internal', false, []) })
  await screen.findByText('nginx')
  press('Add ingress group')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'internal' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add ingress group' }))
  const added = () => sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
  await waitFor(() => expect(added()).toEqual([{ name: 'internal', controller: 'k8s.io/nginx', isDefault: false }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  ['a class', group('nginx', false, []), true, 'false'],
  ['what comes with its controller', group('nginx', true, []), true, 'true'],
  ['a class of a cluster that others use too', group('nginx', false, []), false, 'true'],
])('%s: deletion', async (_what, one, alone, disabled) => {
  await open([one], { alone })
  await screen.findByText('nginx')
  press('Actions for nginx')
  const item = await screen.findByRole('menuitem', { name: /Delete/ })
  expect(item.querySelector('[aria-disabled]')?.getAttribute('aria-disabled')).toBe(disabled)
})
