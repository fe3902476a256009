import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeAccount, fakeOpenStack } from '../../apps/server/test/fake-openstack.ts'
import { kuryrNamespace } from '../../apps/server/src/domains/openstack/zone-objects.ts'
import type { Story } from '../story.ts'
import { clusterStories } from './cluster.ts'

/**
 * An OpenStack is added to a cluster, zones are created from its networks, and both are deleted. The OpenStack is
 * simulated: openstack.services.test.ts uses the real one, which takes seconds for each token.
 */

const cloud = await fakeOpenStack()
afterAll(() => cloud[Symbol.asyncDispose]())

/** Selects one of several values: the list stays open until Escape. */
async function chooseOneOfMany({ page, press }: Story, field: ReturnType<Story['field']>, option: string) {
  await press(field)
  const list = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
  await list.getByText(option, { exact: true }).waitFor()
  await page.keyboard.insertText(option)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
}

clusterStories(
  'openstack',
  (suite, { language }) => {
    let teamId = 0
    beforeAll(async () => {
      const { team, own } = suite().cluster
      teamId = await team(own(`nets-${language}`))
    })

    test('an OpenStack is connected, a nested zone is created and viewed, and both are deleted', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, pick, choose, write, tick, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const dialog = page.getByRole('dialog')
      const openstack = `cloud-${language}`
      const zone = `red.${language}`
      await page.goto(`/teams/${teamId}/resourcemanager/open-stack`)
      await page.getByRole('heading', { name: say('openstack-ui-none') }).waitFor()
      await check()
      await press(button(say('openstack-ui-add')).first())
      await write(field(say('openstack-ui-name')), '-a')
      await write(field(say('openstack-ui-auth-url')), cloud.authUrl)
      await page.getByText(say('openstack-name-format')).waitFor()
      await write(field(say('openstack-ui-name')), openstack)
      await write(field(say('openstack-ui-username')), fakeAccount.username)
      await write(field(say('openstack-ui-password')), 'not-the-password')
      await write(field(say('openstack-ui-project')), 'demo')
      await press(button(say('ui-save')))
      const { host } = new URL(cloud.authUrl)
      const refusal = say('openstack-password-refused', { host, user: fakeAccount.username, domain: 'Default' })
      await page.getByText(refusal).waitFor()
      await check()
      await write(field(say('openstack-ui-password')), fakeAccount.password)
      await press(button(say('ui-save')))
      await page.getByRole('cell', { name: cloud.authUrl }).waitFor()
      await check()

      await page.goto(`/teams/${teamId}/resourcemanager/zone`)
      await page.getByRole('heading', { name: say('zones-ui-none') }).waitFor()
      await check()
      await press(button(say('zones-ui-add')).first())
      await write(field(say('zones-ui-name')), zone)
      await tick(page.getByRole('radio', { name: say('zones-ui-type-normal') }))
      await page.keyboard.press('ArrowRight')
      await choose(field(say('zones-ui-openstack')), `${openstack} · demo`)
      await page.getByTitle('demo', { exact: true }).waitFor()
      await chooseOneOfMany(story, field(say('zones-ui-security-groups')), 'pods-open')
      await choose(field(say('zones-ui-pod-subnet')), 'pods-subnet (10.20.0.0/16)')
      await choose(field(say('zones-ui-service-subnet')), 'services-subnet (10.21.0.0/16)')
      const missing = say('zones-ui-fill-first', { fields: say('zones-ui-worker-subnet') })
      await press(button(say('ui-save')))
      await page.getByText(missing).waitFor()
      await press(button(say('zones-ui-reserved-add')))
      await write(field(say('zones-ui-reserved-start')), '10.20.0.20')
      await write(field(say('zones-ui-reserved-end')), '10.20.0.10')
      await choose(field(say('zones-ui-worker-subnet')), 'hosts-subnet (192.168.40.0/24)')
      await page.getByText(say('zones-ip-order')).waitFor()
      await check()
      await write(field(say('zones-ui-reserved-end')), '10.20.0.30')
      await press(button(say('ui-save')))
      await page.getByRole('heading', { level: 1, name: zone }).waitFor()
      for (const text of ['10.20.0.20 – 10.20.0.30', 'kuryr.lib.binding.drivers.vlan', `kuryr-zone-${zone}`])
        await page.getByText(text).first().waitFor()
      await check()

      await press(page.getByRole('navigation', { name: say('ui-breadcrumbs') }).getByRole('link'))
      const link = page.getByRole('link', { name: zone, exact: true })
      await link.waitFor()
      await write(page.getByRole('searchbox'), 'nothing-like-it')
      await page.getByRole('heading', { name: say('ui-nothing-matches') }).waitFor()
      await write(page.getByRole('searchbox'), openstack.toUpperCase())
      await link.waitFor()
      await check()
      await write(page.getByRole('searchbox'), '')
      await page.waitForURL((url) => !url.searchParams.has('keyword'))

      await page.goto(`/teams/${teamId}/resourcemanager/open-stack`)
      await pick(button(say('ui-actions-of', { name: openstack })), say('ui-delete'))
      await dialog.getByText(say('delete-openstack-warn', { count: 1 })).waitFor()
      await dialog.getByText(zone, { exact: true }).waitFor()
      await check()
      await press(dialog.getByRole('button', { name: say('ui-delete') }))
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('heading', { name: say('openstack-ui-none') }).waitFor()
      await page.goto(`/teams/${teamId}/resourcemanager/zone`)
      await page.getByRole('heading', { name: say('zones-ui-none') }).waitFor()
      expect(await page.getByRole('link', { name: zone, exact: true }).count()).toBe(0)
      await story.end(/resource-manager\/api\/openstacks/)
    })
  },
  { leaves: [kuryrNamespace] },
)
