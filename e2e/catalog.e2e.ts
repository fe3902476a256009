import { catalogs } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

const template = (tag: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    PASSWORD: { type: secret }
  node_templates:
    cache:
      type: gantry.nodes.Service
      properties:
        image: registry.example.org/cache:${tag}
        resources: { cpu: '0.1', memory: 32Mi }
        environment:
          - { name: PASSWORD, value: { get_input: PASSWORD }, secret: true }
`

/** An administrator offers a preset service to a team, which deploys it, and upgrades it to the next version. */
stories('catalog', (suite, { language }) => {
  const name = `catalog-${language}`
  const leader = `catalog-lead-${language}`
  let teamId = 0
  let catalogId = 0
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })
  const button = ({ page }: Story, text: string) => page.getByRole('button', { name: text, exact: true })

  test('an administrator adds a service with a tag, for one team, and publishes its first version', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, find, choose, reach, field, check } = story
    const dialog = page.getByRole('dialog')
    const inDialog = (text: string) => dialog.getByRole('button', { name: text, exact: true })

    await page.goto('/sysconfig/admin-version')
    await page.getByRole('link', { name: 'PostgreSQL' }).first().waitFor()
    await check()
    await press(button(story, say('catalog-ui-tags-manage')))
    await write(field(say('catalog-ui-tag-new')), `tag-${language}`)
    await press(inDialog(say('catalog-ui-tag-add')))
    await dialog.getByRole('listitem').getByText(`tag-${language}`).waitFor()
    await check()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await press(button(story, say('catalog-ui-add')).first())
    await write(field(say('catalog-ui-name')), name)
    await choose(dialog.getByRole('combobox').first(), `tag-${language}`)
    await press(dialog.getByRole('switch'))
    await find(dialog.getByRole('combobox').last(), name)
    await check()
    await press(inDialog(say('catalog-ui-add')))
    await page.getByRole('heading', { name: say('catalog-ui-versions-none') }).waitFor()
    await check()

    await press(button(story, say('catalog-ui-version-add')).first())
    await write(field(say('catalog-ui-version')), '1')
    await press(dialog.getByRole('switch'))
    await reach(dialog.locator('.cm-content'))
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(template('1').replace('secret', 'password'))
    const problem = say('blueprints-tosca-input-type', {
      name: 'PASSWORD',
      type: 'password',
      known: 'string, integer, float, boolean, secret',
    })
    await dialog.getByRole('button', { name: problem }).first().waitFor()
    await check()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(template('1'))
    // Tab indents in the editor; Escape leaves it
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await press(inDialog(say('catalog-ui-version-add')))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(say('catalog-ui-state-published'), { exact: true }).first().waitFor()
    await check()
    await story.end()
  })

  test('the team deploys it, and upgrades it to the next version', async () => {
    const { admin } = suite().product
    const [entry] = (await admin.call(catalogs.ofTeam, { params: { tenant: teamId }, query: { keyword: name } })).items
    catalogId = entry?.id ?? 0
    const story = await suite().enter(leader)
    const { page, say, press, write, choose, pick, field, check } = story
    const dialog = page.getByRole('dialog')

    await page.goto(`/teams/${teamId}/products/system`)
    await page.getByRole('article', { name: 'PostgreSQL' }).waitFor()
    await check()
    await write(page.getByRole('searchbox'), name)
    await page.getByRole('article', { name: 'PostgreSQL' }).waitFor({ state: 'hidden' })
    await press(button(story, say('catalog-ui-deploy-named', { name })))
    await write(field(say('blueprints-ui-stack')), 'cache')
    await write(field('PASSWORD'), 'tidal-cobalt-41')
    await check()
    await press(button(story, say('blueprints-ui-preview')))
    await dialog.getByRole('heading', { name: say('blueprints-ui-made') }).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-deploy'), exact: true }))
    await page.getByText(say('stacks-ui-healthy', { healthy: 1, all: 1 })).waitFor()
    await page.getByText(`${name} 1`, { exact: true }).waitFor()
    await check()

    await admin.call(catalogTemplates.create, {
      body: { catalogId, version: '2', template: template('2'), published: true },
    })
    await pick(button(story, say('ui-actions-of', { name: 'cache' })).first(), say('stacks-ui-upgrade-blueprint'))
    await choose(dialog.getByRole('combobox'), `${name} 2`)
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-preview'), exact: true }))
    await dialog.getByRole('heading', { name: say('blueprints-ui-changed-services') }).waitFor()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-upgrade'), exact: true }))
    const bar = page.getByRole('region', { name: say('blueprints-ui-release') })
    await bar.getByText(say('blueprints-ui-release-ready', { version: '2' })).waitFor()
    await press(bar.getByRole('button', { name: say('blueprints-ui-release-confirm') }))
    await press(dialog.getByRole('button', { name: say('blueprints-ui-release-confirm') }))
    await bar.waitFor({ state: 'hidden' })

    await page.goto(`/teams/${teamId}/products/system/${catalogId}/version`)
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('link', { name: '2', exact: true }).waitFor()
    await check()
    await story.end()
  })

  test('a version that a stack runs cannot be deleted', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/sysconfig/admin-version/edition/${catalogId}`)
    await pick(button(story, say('ui-actions-of', { name: '2' })), say('ui-delete'))
    await press(dialog.getByRole('button', { name: say('ui-delete'), exact: true }))
    await page
      .getByText(say('catalog-version-in-use', { name: `${name} 2`, stack: 'cache', team: name }))
      .first()
      .waitFor()
    await check()
    await story.end(/catalog\/api\/templates/)
  })
})
