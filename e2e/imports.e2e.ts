import { clusters } from '@gantry/contract/clusters/clusters'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

/** A Compose file with a service that cannot be imported, and unsupported lines. */
const compose = `services:
  web:
    image: registry.example.org/shop/web:1
    ports: ["8080:80"]
    networks: [front]
    depends_on: [api]
  api:
    image: registry.example.org/shop/api:1
    deploy: { resources: { limits: { cpus: "0.1", memory: 64M } } }
  worker:
    build: .
networks: { front: }
`

stories('imports', (suite, { language }) => {
  let teamId = 0
  const leader = `imports-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `imports-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    await product.admin.call(clusters.ofTeam, { params: { teamId } })
  })
  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })

  test('a Compose file becomes a stack, without the service that has to be built, and is exported as YAML', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, tick, write, pick, check } = story
    await page.goto(`/teams/${teamId}/appcenter`)
    await press(button(story, say('imports-ui-open')))
    const text = page.getByRole('textbox', { name: say('imports-ui-text') })
    await text.fill(compose)
    await write(story.field(say('blueprints-ui-stack')), 'brought')
    await press(button(story, say('imports-ui-check')))
    const result = page.getByRole('region', { name: say('imports-ui-preview') })
    await result
      .getByRole('alert')
      .getByText(say('imports-build', { name: 'worker' }))
      .waitFor()
    await result.getByText(say('imports-networks')).first().waitFor()
    await check()
    // opens its place in the text
    await press(result.getByRole('button', { name: say('imports-ui-place', { line: 11, column: 5 }) }))
    await tick(result.getByRole('checkbox', { name: 'worker' }))
    await press(result.getByRole('button', { name: say('imports-ui-create', { count: 2 }) }))
    await page.getByRole('link', { name: 'api', exact: true }).waitFor()
    await page.getByRole('link', { name: 'web', exact: true }).waitFor()
    await check()

    await pick(button(story, say('ui-actions-of', { name: 'brought' })), say('stacks-ui-yaml'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Namespace').first().waitFor()
    const download = page.waitForEvent('download')
    await press(dialog.getByRole('button', { name: say('ui-log-download') }))
    const yaml = await (await download).createReadStream().then(async (stream) => {
      let all = ''
      for await (const part of stream) all += String(part)
      return all
    })
    await press(dialog.getByRole('button', { name: say('ui-close'), exact: true }).last())

    await page.goto(`/teams/${teamId}/appcenter/import`)
    await text.fill(yaml)
    await write(story.field(say('blueprints-ui-stack')), 'again')
    await press(button(story, say('imports-ui-check')))
    await result.getByText(say('imports-ui-whole')).waitFor()
    await check()
    await press(result.getByRole('button', { name: say('imports-ui-create', { count: 2 }) }))
    await page.getByRole('link', { name: 'web', exact: true }).waitFor()
    await story.end()
  })
})
