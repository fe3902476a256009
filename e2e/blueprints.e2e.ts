import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { products } from '@gantry/contract/products/products'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

const template = (tag: string) => `# The shop: its front waits for its interface.
tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    COUNT: { type: integer, default: 1 }
  node_templates:
    web:
      type: gantry.nodes.Service
      properties:
        image: registry.example.org/shop/web:${tag}
        replicas: { get_input: COUNT } # as many as are needed
        resources: { cpu: '0.1', memory: 32Mi }
      requirements:
        - dependency: api
    api:
      type: gantry.nodes.Service
      properties:
        image: registry.example.org/shop/api:${tag}
        resources: { cpu: '0.1', memory: 32Mi }
`

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A product's version is drawn and written, deployed, upgraded as one release, and rolled back. */
stories('blueprints', (suite, { language }) => {
  let teamId = 0
  let productId = 0
  const leader = `blueprints-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `blueprints-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const body = { name: 'shop' }
    ;({ id: productId } = await product.admin.call(products.create, { params: { team: teamId }, body }))
  })

  const make = async (version: string, tag: string) =>
    suite().product.admin.call(blueprints.create, {
      params: { teamId },
      body: { applicationId: productId, version, template: template(tag) },
    })
  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })

  test('a product is copied, and a file is chosen as its picture', async () => {
    const story = await suite().enter(leader)
    const { page, say, write, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/products/personal`)
    await pick(button(story, say('ui-actions-of', { name: 'shop' })), say('products-ui-image'))
    await check()
    await dialog.locator('input[type=file]').setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: picture })
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('table').locator('img').first().waitFor()
    await pick(button(story, say('ui-actions-of', { name: 'shop' })), say('products-ui-clone'))
    await write(story.field(say('products-ui-name')), 'copy')
    await check()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('copy', { exact: true }).first().waitFor()
    await check()
    await story.end()
  })

  test('a version is created, a service is added by the form, and the version is saved', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, reach, choose, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/products/personal/${productId}/version`)
    await page.getByRole('heading', { name: say('blueprints-ui-none') }).waitFor()
    await check()
    await press(button(story, say('blueprints-ui-create')).first())
    await write(story.field(say('blueprints-ui-version')), '0.1')
    await check()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(say('blueprints-ui-canvas-none')).waitFor()
    await check()
    await press(button(story, say('blueprints-ui-node-add')))
    await write(story.field(say('blueprints-ui-node')), 'web')
    await reach(page.getByRole('radio', { name: say('stacks-ui-image-pick'), checked: true }))
    await page.keyboard.press('ArrowRight')
    await write(page.getByLabel(say('stacks-ui-image'), { exact: true }), 'registry.example.org/shop/web:1')
    await check()
    await press(button(story, say('blueprints-ui-node-keep')))
    const node = (name: string) =>
      page.getByRole('table', { name: say('blueprints-ui-nodes') }).getByText(name, { exact: true })
    await node('web').waitFor()
    await pick(button(story, say('blueprints-ui-outward-add')), say('outward-ui-new-external'))
    await write(story.field(say('blueprints-ui-node')), 'mail')
    await write(story.field(say('outward-ui-dns')), 'mail.example.com')
    await check()
    await press(button(story, say('blueprints-ui-node-keep')))
    await node('mail').waitFor()
    await pick(button(story, say('blueprints-ui-outward-add')), say('outward-ui-new-lb'))
    await write(story.field(say('blueprints-ui-node')), 'front')
    await write(story.field(say('outward-ui-rule-name')), 'web')
    await choose(story.field(say('outward-ui-target')), 'web')
    await write(story.field(say('outward-ui-target-port')), '8080')
    await check()
    await press(button(story, say('blueprints-ui-node-keep')))
    await node('front').waitFor()
    await reach(page.locator('.cm-content'))
    // Tab indents in the editor; Escape leaves it
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await press(button(story, say('ui-yaml-review')))
    await check()
    await press(button(story, say('ui-save')))
    await button(story, say('ui-yaml-review')).waitFor()
    await page.goto(`/teams/${teamId}/products/personal/${productId}/version`)
    await pick(button(story, say('ui-actions-of', { name: '0.1' })), say('blueprints-ui-clone'))
    await write(story.field(say('blueprints-ui-version')), '0.2')
    await check()
    await page.keyboard.press('Enter')
    await page.getByText('0.2', { exact: true }).first().waitFor()
    await story.end()
  })

  test('it is deployed as a stack, upgraded as one release, and rolled back', async () => {
    const [first] = [await make('1.0', '1'), await make('2.0', '2')]
    const story = await suite().enter(leader)
    const { page, say, press, write, reach, choose, pick, check } = story
    const dialog = page.getByRole('dialog')
    await page.goto(`/teams/${teamId}/products/personal/${productId}/shop/blueprints/${first.id}`)
    await page
      .getByRole('group', { name: say('blueprints-ui-canvas') })
      .getByText('api', { exact: true })
      .waitFor()
    await check()
    await reach(page.locator('.cm-content'))
    await page.keyboard.press('Control+End')
    await page.keyboard.type('imports: []')
    const problem = say('blueprints-tosca-refused', { name: 'imports' })
    await page
      .getByText(say('ui-yaml-problem', { line: 20, column: 1, problem }))
      .first()
      .waitFor()
    await check()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await press(button(story, say('ui-yaml-discard')))
    await page.getByText(say('ui-yaml-fine')).waitFor()
    await press(button(story, say('blueprints-ui-deploy')))
    await write(story.field(say('blueprints-ui-stack')), 'live')
    await check()
    await press(button(story, say('blueprints-ui-preview')))
    await dialog.getByText(say('blueprints-ui-turn-after', { turn: 2, services: 'api' })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-deploy'), exact: true }))
    await page.getByText(say('stacks-ui-healthy', { healthy: 2, all: 2 })).waitFor()
    await check()

    await pick(button(story, say('ui-actions-of', { name: 'live' })), say('stacks-ui-upgrade-blueprint'))
    await choose(dialog.getByRole('combobox'), 'shop 2.0')
    await press(dialog.getByRole('button', { name: say('blueprints-ui-preview'), exact: true }))
    await dialog.getByRole('heading', { name: say('blueprints-ui-changed-services') }).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-upgrade'), exact: true }))
    const bar = page.getByRole('region', { name: say('blueprints-ui-release') })
    await bar.getByText(say('blueprints-ui-release-ready', { version: '2.0' })).waitFor()
    await check()
    await press(bar.getByRole('button', { name: say('blueprints-ui-release-rollBack') }))
    await press(dialog.getByRole('button', { name: say('blueprints-ui-release-rollBack') }))
    await bar.waitFor({ state: 'hidden' })
    await page.getByText(say('stacks-ui-healthy', { healthy: 2, all: 2 })).waitFor()
    // Enough instances are healthy before the last one of the other version is deleted.
    for (const name of ['api', 'web'])
      await page.getByRole('row').filter({ hasText: name }).getByText(say('state-stable'), { exact: true }).waitFor()

    await pick(button(story, say('ui-actions-of', { name: 'live' })), say('promotions-ui-open'))
    await write(story.field(say('blueprints-ui-stack')), 'stage')
    await check()
    await press(dialog.getByRole('button', { name: say('promotions-ui-next'), exact: true }))
    await dialog.getByRole('group', { name: 'web' }).waitFor()
    await write(dialog.getByLabel(say('promotions-ui-kind-replicas')).last(), '2')
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-preview'), exact: true }))
    await dialog.getByRole('heading', { name: say('blueprints-ui-made') }).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('promotions-ui-promote'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })

    await pick(button(story, say('ui-actions-of', { name: 'live' })), say('stacks-ui-save-blueprint'))
    await write(story.field(say('blueprints-ui-version')), '3.0')
    await check()
    await press(dialog.getByRole('button', { name: say('blueprints-ui-save'), exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await story.end()
  })
})
