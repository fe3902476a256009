import { clusters } from '@gantry/contract/clusters/clusters'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { paths } from '../apps/console/src/paths.gen.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** A team's configuration, a service that reads it, and the rollout of a change. */
stories('config-centre', (suite, { language }) => {
  let teamId = 0
  let upgrade = ''
  const leader = `config-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `config-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
    const envId = env?.uuid ?? ''
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'live', envId } })
    const service = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: 'registry.example.org/shop/web:1' },
    })
    const known: Record<string, string | number> = {
      team_id: teamId,
      env_id: envId,
      stack_id: stack.id,
      stack_uuid: stack.uuid,
      stack_name: 'live',
      sname: 'web',
      service_id: service.id,
    }
    upgrade = paths['service-upgrade'].replaceAll(/\$(\w+)/g, (_, key: string) => String(known[key]))
  })

  test('keys are imported and entered, a template is filled, a service reads both and follows a change', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, pick, write, tick, find, field, check } = story
    const button = (text: string) => page.getByRole('button', { name: text, exact: true })
    const dialog = page.getByRole('dialog')
    const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })
    const gone = () => dialog.waitFor({ state: 'hidden' })
    const menu = (name: string) => button(say('ui-actions-of', { name }))
    const link = (name: string) => page.getByRole('link', { name, exact: true }).first()

    await page.goto(`/teams/${teamId}/configcenter/app`)
    await page.getByRole('heading', { name: say('config-ui-app-none') }).waitFor()
    await check()
    await page.goto(`/teams/${teamId}/configcenter/manage`)
    await page.getByRole('heading', { name: say('config-ui-none') }).waitFor()
    await check()
    await press(button(say('config-ui-project-create')).first())
    await write(dialog.getByRole('textbox', { name: say('config-ui-project') }), 'shop')
    await check()
    await press(inDialog(say('config-ui-project-create')))
    await page.getByRole('heading', { name: say('config-ui-profile-none') }).waitFor()
    await check()
    await press(button(say('config-ui-profile-create')).first())
    await write(dialog.getByRole('textbox', { name: say('config-ui-profile') }), 'production')
    await check()
    await press(inDialog(say('config-ui-profile-create')))
    await gone()
    await press(link('production'))
    await page.getByRole('heading', { name: say('config-ui-key-none') }).waitFor()
    await check()

    const file = (text: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'shop.properties', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await press(button(say('config-ui-import')))
    await check()
    await file('HOST=db\n1=2\n')
    await dialog.getByText(say('config-import-key', { line: 2, key: '1' })).waitFor()
    await check()
    await press(inDialog(say('config-ui-import-other')))
    await file('HOST=db\nPORT=5432\n')
    await dialog.getByText(say('config-ui-import-added', { count: 2, keys: 'HOST, PORT' })).waitFor()
    await check()
    await press(inDialog(say('config-ui-import')))
    await gone()
    await press(button(say('config-ui-key-add')))
    await write(dialog.getByRole('textbox', { name: say('config-ui-key') }), 'PASSWORD')
    await write(dialog.getByLabel(say('config-ui-value')), 'swordfish')
    await tick(dialog.getByRole('switch', { name: say('config-ui-secret') }))
    await dialog.getByText(say('config-ui-restarts-none')).waitFor()
    await check()
    await press(inDialog(say('config-ui-key-add')))
    await gone()
    await page.getByText('PASSWORD', { exact: true }).first().waitFor()
    await check()

    await press(link('shop'))
    await press(page.getByRole('tab', { name: say('config-ui-profiles'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await press(button(say('config-ui-template-create')).first())
    await write(dialog.getByRole('textbox', { name: say('config-ui-template'), exact: true }), 'app.conf')
    await press(dialog.locator('.cm-content'))
    await page.keyboard.insertText('url=${HOST}:${PORT}\npassword=${PASSWORD}\n')
    // Tab indents in the editor; Escape leaves it
    await page.keyboard.press('Escape')
    await check()
    await press(inDialog(say('config-ui-template-create')))
    await gone()
    await pick(menu('app.conf'), say('config-ui-rendered'))
    await dialog.getByText('url=db:5432').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await gone()

    await page.goto(upgrade)
    await press(button(say('stacks-ui-field-configuration')))
    await find(field(say('config-ui-project')), 'shop')
    await find(field(say('config-ui-profile')), 'production')
    await press(button(say('config-ui-file-add')))
    await find(field(say('config-ui-file')), 'app.conf')
    await write(field(say('config-ui-path')), '/etc/app.conf')
    await check()
    await press(button(say('stacks-ui-review')))
    await press(inDialog(say('stacks-ui-upgrade')))
    await page.getByRole('heading', { level: 1 }).getByText(say('state-upgraded'), { exact: true }).waitFor()
    await page.getByText('shop/production').first().waitFor()
    await check()

    await page.goto(`/teams/${teamId}/configcenter/app`)
    await page.getByText(say('config-ui-current-yes'), { exact: true }).waitFor()
    await check()
    await page.goto(`/teams/${teamId}/configcenter/manage?project=shop`)
    await pick(menu('production'), say('ui-delete'))
    await press(inDialog(say('ui-delete')))
    await dialog.getByText('live/web').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await gone()
    await press(link('production'))
    await pick(menu('HOST'), say('config-ui-key-edit'))
    await write(dialog.getByLabel(say('config-ui-value')), 'db2')
    await dialog.getByText(say('config-ui-restarts', { count: 1, services: 'live/web' })).waitFor()
    await check()
    await press(inDialog(say('ui-save')))
    await gone()
    await page.getByText('db2', { exact: true }).first().waitFor()
    await press(page.getByRole('tab', { name: say('config-ui-keys'), exact: true }))
    await page.keyboard.press('ArrowRight')
    await menu('2').waitFor()
    await check()
    await pick(menu('2'), say('config-ui-history-compare'))
    await dialog.getByText('db2', { exact: true }).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await gone()

    const { admin } = suite().product
    const project = { params: { teamId, name: 'shop' } }
    const [one] = (await admin.call(configProjects.list, { params: { teamId } })).items
    expect(one).toMatchObject({ name: project.params.name, services: 1 })
    await story.end(/config-center\/api/)
  })
})
