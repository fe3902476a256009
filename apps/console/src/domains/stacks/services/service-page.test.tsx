import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { mask } from '@gantry/contract/validators'
import { permissions } from '../../../api/permissions.ts'
import { openApp, press, refusal, sent, server, signedIn, useConsole } from '../../../../test/app.tsx'
import { container, env, listed, service, stackUuid } from '../../../../test/stacks.ts'
import { routes } from '../routes.tsx'

useConsole()

const one = `/orchestration/api/1/env/${env}/service/5`
const path = `/teams/1/appcenter/env/${env}/stack/1/${stackUuid}/shop/services/5/web/business/containers/from/appcenter`

const open = (is: Partial<ServiceDetail>, search = '') => {
  server({ [`GET ${one}`]: service(is), [`POST ${one}`]: service(), [`GET ${one}/containers`]: listed(container()) })
  return openApp(path + search, routes)
}
/** In tests antd gives every dialog the same id, so a dialog is found by its text. */
async function theDialog(title: string): Promise<HTMLElement> {
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(title)
  return dialog
}
const previous = ServiceSpec.parse({ image: 'nginx:1.28', replicas: 2 })
const acted = () => sent.find((call) => call.method === 'POST' && call.path === one)
const buttons = (): string[] =>
  ['Upgrade', 'Confirm upgrade', 'Roll back', 'Cancel upgrade'].filter((name) => screen.queryByRole('button', { name }))

describe('a service', () => {
  beforeEach(() => {
    signedIn({ admin: true })
  })

  test.each<[ServiceDetail['state'], string[]]>([
    ['stable', ['Upgrade']],
    ['upgrading', ['Cancel upgrade']],
    ['upgraded', ['Confirm upgrade', 'Roll back']],
    ['rolling-back', []],
    ['failed', ['Upgrade', 'Cancel upgrade']],
    ['deleting', []],
  ])('that is %s offers %j', async (state, offered) => {
    await open({ state, previous: state === 'stable' ? null : previous })
    await screen.findByText('web-6d5f8-x2x9k')
    expect(buttons()).toEqual(offered)
  })

  test('with an open upgrade shows the old and the new image side by side', async () => {
    await open({ state: 'upgraded', previous })
    const panel = await screen.findByRole('region', { name: 'Upgrade in progress' })
    expect(within(panel).getByText(':1.28')).toBeTruthy()
    expect(within(panel).getByText(':1.29')).toBeTruthy()
    expect(within(panel).getByText('The new version is running. Keep it?')).toBeTruthy()
  })

  test('with an open upgrade of the same image shows what changed', async () => {
    await open({ state: 'upgraded', previous: { ...service().spec, replicas: 7 } })
    const panel = await screen.findByRole('region', { name: 'Upgrade in progress' })
    expect(within(panel).getByText('Changed: Instances')).toBeTruthy()
  })

  test('names the build that made the running version, and links to it', async () => {
    const build = { number: 12, pipelineId: 3, groupId: 4, pipeline: 'ship' }
    const { revision } = service()
    const row = {
      image: 'nginx:1.29',
      digest: '',
      unpinned: '',
      action: 'upgrade',
      by: 'admin',
      createdAt: '2026-01-01T00:00:00Z',
    }
    await open({ revisions: [{ ...row, revision, changes: null, build }] })
    const link = await screen.findByRole('link', { name: 'ship #12' })
    expect(link.getAttribute('href')).toMatch(/3.*12/)
  })

  test('lists the changes of each revision and its build, and compares any two', async () => {
    const row = {
      image: 'nginx:1.29',
      unpinned: '',
      digest: '',
      action: 'upgrade',
      by: 'grace',
      createdAt: '2026-01-02T03:04:05Z',
    }
    const build = { number: 12, pipelineId: 3, groupId: 4, pipeline: 'ship' }
    server({
      [`GET ${one}/revisions/1`]: ServiceSpec.parse({ image: 'nginx:1.29', replicas: 2 }),
      [`GET ${one}/revisions/3`]: ServiceSpec.parse({ image: 'nginx:1.29', replicas: 9 }),
    })
    const revisions: ServiceDetail['revisions'] = [
      { ...row, revision: 3, changes: ['replicas', 'ports'], build },
      { ...row, revision: 2, changes: ['image'], build: null },
      { ...row, revision: 1, changes: null, build: null },
    ]
    await open({ revision: 3, revisions }, '?tab=revisions')
    expect(await screen.findByText('Instances, Ports')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'ship #12' }).getAttribute('href')).toContain('/pipeline_id/3/history/12/')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Revision 3' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Revision 1' }))
    press('Compare')
    const dialog = await theDialog('web: revision 1 and revision 3')
    await waitFor(() => expect(sent.map(({ path: url }) => url)).toContain(`${one}/revisions/3`))
    expect(sent.map(({ path: url }) => url)).toContain(`${one}/revisions/1`)
    expect(within(dialog).queryByRole('alert')).toBeNull()
  })

  describe('with an earlier revision', () => {
    const row = {
      image: 'nginx:1.29',
      unpinned: '',
      digest: '',
      action: 'upgrade',
      by: 'grace',
      createdAt: '2026-01-02T03:04:05Z',
    }
    const revisions = [2, 1].map((revision) => ({ ...row, revision, changes: null, build: null }))
    const returnTo = async (old: ServiceSpec) => {
      server({ [`GET ${one}/revisions/1`]: old })
      await open({ revision: 2, revisions }, '?tab=revisions')
      fireEvent.click(await screen.findByRole('button', { name: 'Actions for Revision 1' }))
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Return to this revision' }))
      return theDialog('Return web to revision 1')
    }

    test('returns to a complete revision, secrets included, after a review', async () => {
      const environment = [{ name: 'KEY', value: mask, secret: true }]
      const dialog = await returnTo(ServiceSpec.parse({ image: 'nginx:1.28', replicas: 2, environment }))
      fireEvent.click(await within(dialog).findByRole('button', { name: 'Upgrade' }))
      const request = () => sent.find(({ method, path }) => method === 'POST' && path === `${one}/revisions/1`)
      await waitFor(() => expect(request()?.query.get('revision')).toBe('2'))
      expect(request()?.body).toBeUndefined()
    })
  })

  test('is rolled back after a confirmation', async () => {
    await open({ state: 'upgraded', previous })
    await screen.findByRole('region', { name: 'Upgrade in progress' })
    press('Roll back')
    const dialog = await theDialog('Roll back web?')
    expect(acted()).toBeUndefined()
    fireEvent.click(within(dialog).getByRole('button', { name: 'Roll back' }))
    await waitFor(() => expect(acted()?.query.get('action')).toBe('rollBack'))
  })

  test.for([
    ['confirm', 'Confirm the upgrade of web?'],
    ['rollBack', 'Roll back web?'],
  ] as const)('an address that requests to %s only opens the confirmation, once', async ([what, title]) => {
    const { at } = await open({ state: 'upgraded', previous }, `?do=${what}`)
    await theDialog(title)
    expect([at().includes('do='), acted()]).toEqual([false, undefined])
  })

  test('shows the server’s refusal in the dialog, and keeps the input', async () => {
    await open({ state: 'upgraded', previous })
    server({ [`POST ${one}`]: refusal(409, 'stacks-not-now-stable', 'The service web is stable') })
    await screen.findByRole('region', { name: 'Upgrade in progress' })
    press('Confirm upgrade')
    const dialog = await theDialog('Confirm the upgrade of web?')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Confirm upgrade' }))
    expect(await within(dialog).findByText('The service web is stable')).toBeTruthy()
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  })

  test('with an unhealthy new version offers the rollback first', async () => {
    await open({ state: 'upgraded', previous, ready: 0 })
    expect(await screen.findByText('The new version is not healthy')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Roll back' }).className).toContain('primary')
  })

  test('offers no actions to users who may not operate it, and says so', async () => {
    signedIn({ admin: false })
    permissions.set([{ name: 'stack_service_view', enable: true }])
    await open({ state: 'upgraded', previous })
    const button = await screen.findByRole('button', { name: 'Confirm upgrade' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(button)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('offers each action by the permission of its own call, and names the missing one', async () => {
    signedIn({ admin: false })
    permissions.set(
      ['stack_service_view', 'stack_service_operate', 'stack_container_operate'].map((name) => ({
        name,
        enable: true,
      })),
    )
    await open({ state: 'stable' })
    const upgrade = await screen.findByRole('button', { name: 'Upgrade' })
    expect(upgrade.getAttribute('aria-disabled')).toBe('true')
    press('Actions for web')
    expect((await screen.findByRole('menuitem', { name: /Scale/ })).textContent).not.toContain('stack_')
    expect(screen.getByRole('menuitem', { name: /Delete/ }).textContent).toContain('“Delete services”')
    press('Actions for web-6d5f8-x2x9k')
    expect((await screen.findByRole('menuitem', { name: /Restart pod/ })).textContent).not.toContain('stack_')
    expect(screen.getByRole('menuitem', { name: /Remove pod/ }).textContent).toContain('“Remove single containers”')
    expect(screen.getByRole('menuitem', { name: /Terminal/ }).textContent).toContain('“Open terminals in containers”')
  })

  test('links from a container to its log in one click, which the address keeps', async () => {
    const { at } = await open({})
    await screen.findByText('web-6d5f8-x2x9k')
    press('Log of web-6d5f8-x2x9k')
    await waitFor(() => expect(at()).toContain('tab=log'))
    expect(decodeURIComponent(at())).toContain('pod=web-6d5f8-x2x9k/web')
  })
})
