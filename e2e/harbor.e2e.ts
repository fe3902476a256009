import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulatedHarbor } from '../apps/server/test/simulated-harbor.ts'
import { stories } from './story.ts'

/** A Harbor is joined, and a team uses its projects; the story runs the simulated one. */
stories(
  'Harbor',
  (suite, { language }) => {
    const [name, project, target] = [`harbor-${language}`, `shop-${language}`, `shop-${language}-archive`]
    let harbor: Awaited<ReturnType<typeof simulatedHarbor>>
    let teamId = 0
    beforeAll(async () => {
      harbor = await simulatedHarbor()
      teamId = (await suite().product.admin.call(teams.create, { body: { name: `hb-${language}` } })).id
    })
    afterAll(() => harbor.stop())
    const find = async () => {
      const { admin } = suite().product
      const found = (await admin.call(harbors.list, {})).find((one) => one.name === name)
      return { admin, params: { id: found?.id ?? 0 } }
    }
    const projectOf = async (called: string) => {
      const { admin, params } = await find()
      const { items } = await admin.call(harborProjects.list, { params, query: { keyword: called } })
      return items.find((one) => one.name === called)?.projectId ?? 0
    }

    test('an administrator joins a Harbor, creates a project and assigns it to a team', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, pick, reach, write, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const inDialog = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await page.goto('/sysconfig/registry/index')
      await press(button(say('harbor-ui-add')).first())
      await write(field(say('harbor-ui-name')), name)
      await write(field(say('harbor-ui-url')), harbor.url)
      await write(field(say('harbor-ui-username')), 'admin')
      await write(field(say('harbor-ui-password')), 'wrong')
      await check()
      await press(inDialog(say('harbor-ui-verify')))
      await page.getByText(say('harbor-credentials', { host: new URL(harbor.url).host })).waitFor()
      await write(field(say('harbor-ui-password')), harbor.access.password)
      await write(field(say('harbor-ui-ca')), 'no certificate')
      await press(inDialog(say('harbor-ui-verify')))
      await page.getByText(say('registry-ca-invalid')).waitFor()
      await write(field(say('harbor-ui-ca')), '')
      await press(inDialog(say('harbor-ui-add')))
      await press(page.getByRole('link', { name, exact: true }))

      await press(button(say('harbor-ui-project-create')).first())
      await write(field(say('harbor-ui-project-name')), project)
      await check()
      await press(inDialog(say('harbor-ui-project-create')))
      await page.getByRole('link', { name: project, exact: true }).waitFor()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await check()
      await pick(button(say('ui-actions-of', { name: project })), say('harbor-ui-assign'))
      await write(page.getByRole('dialog').getByRole('combobox'), `hb-${language}`)
      await page
        .locator('.ant-select-item-option-active')
        .filter({ hasText: `hb-${language}` })
        .waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await press(inDialog(say('ui-save')))
      await page.getByText(`hb-${language}`).first().waitFor()
      await reach(page.getByRole('tab', { name: say('harbor-ui-projects') }))
      await page.keyboard.press('ArrowRight')
      await page.getByText(say('harbor-ui-healthy'), { exact: true }).waitFor()
      await check()
      await story.end(/\/api\/harbors\/verification/)
    })

    test('a team finds its images, inspects one, copies it, deletes a tag, and gives the project back', async () => {
      const { admin, params } = await find()
      await harbor.push(`${project}/web`, '1.0')
      await harbor.push(`${project}/web`, '2.0')
      await admin.call(harborProjects.create, { params, body: { name: target } })
      const projectId = await projectOf(target)
      await admin.call(harborProjects.assign, { params, body: { projectId, teams: [teamId] } })
      await expect
        .poll(
          async () =>
            (await admin.call(namespaces.list, { params: { tenantId: teamId } })).items.map(({ pull }) => pull),
          { timeout: 15_000 },
        )
        .toEqual(['ready', 'ready'])

      const story = await suite().enter('admin')
      const { page, say, press, pick, reach, tick, write, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const inDialog = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await page.goto(`/teams/${teamId}/registries/namespace`)
      await page.getByRole('link', { name: project, exact: true }).waitFor()
      await check()
      await pick(button(say('ui-actions-of', { name: project })), say('harbor-ui-sync'))
      await page.getByText(say('sync-success')).first().waitFor()
      await press(button(say('harbor-ui-renew')))
      await page.getByText(say('harbor-ui-renew-none')).waitFor()
      await check()
      await page.keyboard.press('Escape')
      await reach(page.getByRole('tab', { name: say('harbor-ui-projects') }))
      await page.keyboard.press('ArrowRight')
      await page.getByRole('link', { name: `${project}/web`, exact: true }).waitFor()
      await check()
      await reach(page.getByRole('tab', { name: say('harbor-ui-repositories') }))
      await page.keyboard.press('ArrowLeft')

      await press(page.getByRole('link', { name: project, exact: true }))
      await page.getByText('release-*').waitFor()
      await press(page.getByRole('link', { name: 'web', exact: true }))
      await button(say('ui-actions-of', { name: '2.0' })).waitFor()
      await check()
      await pick(button(say('ui-actions-of', { name: '2.0' })), say('harbor-ui-layers'))
      await page.getByText('COPY app /app').waitFor()
      await check()
      await page.keyboard.press('Escape')

      await pick(button(say('ui-actions-of', { name: '2.0' })), say('images-ui-uses'))
      await page.getByText(say('images-ui-uses-none')).waitFor()
      await check()
      await page.keyboard.press('Escape')

      await pick(button(say('ui-actions-of', { name: '2.0' })), say('harbor-ui-scan-now'))
      await page.getByText(say('harbor-ui-scan-begun', { name: '2.0' })).waitFor()
      await pick(button(say('ui-actions-of', { name: '2.0' })), say('harbor-ui-report'))
      await page
        .getByText(/CVE-2026-\d+/)
        .first()
        .waitFor()
      await check()
      await page.keyboard.press('Escape')

      await tick(page.getByRole('checkbox', { name: say('ui-choose', { name: '2.0' }) }))
      await press(button(say('harbor-ui-copy')))
      await write(page.getByRole('dialog').getByRole('combobox'), target)
      await page.locator('.ant-select-item-option-active').filter({ hasText: target }).waitFor()
      await page.keyboard.press('Enter')
      await check()
      await press(inDialog(say('harbor-ui-copy-start')))
      await page.getByText(say('harbor-ui-copy-state-succeeded')).waitFor()
      await check()
      await press(inDialog(say('ui-close')).last())

      await pick(button(say('ui-actions-of', { name: '1.0' })), say('harbor-ui-tag-delete', { name: '1.0' }))
      await press(inDialog(say('ui-delete')))
      await page.getByText(say('harbor-ui-untagged')).first().waitFor()

      await page.goto(`/teams/${teamId}/registries/namespace`)
      await pick(button(say('ui-actions-of', { name: target })), say('harbor-ui-namespace-remove'))
      await press(inDialog(say('harbor-ui-namespace-remove')))
      await expect.poll(() => page.getByText(target, { exact: true }).count()).toBe(0)
      await story.end()
    })

    test('an administrator views a project of any team, cleans a repository and deletes another', async () => {
      const [web, api] = [`${project}/web`, `${project}/api`]
      await harbor.push(web, '3.0')
      await harbor.push(api, '1.0')
      const story = await suite().enter('admin')
      const { page, say, press, pick, tick, write, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const dialog = page.getByRole('dialog')
      const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })
      const link = (text: string) => page.getByRole('main').getByRole('link', { name: text, exact: true })
      await page.goto('/sysconfig/registry/index')
      await press(link(name))
      await press(link(project))

      await link('api').waitFor()
      await page.getByText('release-*').waitFor()
      await check()
      await write(page.getByRole('searchbox', { name: say('harbor-ui-repository-search') }), 'we')
      await link('api').waitFor({ state: 'detached' })
      await press(link('web'))

      await button(say('ui-actions-of', { name: '3.0' })).waitFor()
      expect(new URL(page.url()).pathname).toMatch(
        /^\/sysconfig\/registry\/harbor\/\d+\/projects\/\d+\/repositories\/.+\/tags$/,
      )
      await check()
      await pick(button(say('ui-actions-of', { name: '3.0' })), say('harbor-ui-layers'))
      await page.getByText('COPY app /app').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await pick(button(say('ui-actions-of', { name: '3.0' })), say('harbor-ui-image-delete'))
      await dialog.getByText(`${web}:3.0`).waitFor()
      await check()
      await press(inDialog(say('ui-delete')))
      await button(say('ui-actions-of', { name: '3.0' })).waitFor({ state: 'detached' })
      await button(say('ui-actions-of', { name: '2.0' })).waitFor()

      // the list has the state in which it was left
      await press(page.getByRole('link', { name: project, exact: true }))
      await link('web').waitFor()
      await write(page.getByRole('searchbox', { name: say('harbor-ui-repository-search') }), 'ap')
      await link('web').waitFor({ state: 'detached' })
      await tick(page.getByRole('checkbox', { name: say('ui-choose', { name: api }) }))
      await press(button(say('harbor-ui-repositories-delete')))
      await dialog.getByText(say('harbor-ui-repositories-delete-text')).waitFor()
      await check()
      await press(inDialog(say('harbor-ui-repositories-delete')))
      await dialog.getByText(say('ui-bulk-progress', { ended: 1, total: 1, failed: 0 })).waitFor()
      await check()
      await press(inDialog(say('ui-close')).last())
      await link('api').waitFor({ state: 'detached' })
      await story.end()
    })
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off', GANTRY_EMBEDDED_AGENT: 'off' },
)
