import { clusters } from '@gantry/contract/clusters/clusters'
import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

/** A service is upgraded by a copy, and one returns to a revision. In the sandbox, where any image runs. */

const image = (tag: string) => `registry.example.org/shop/web:${tag}`

stories('copies', (suite, { language }) => {
  let teamId = 0
  let envId = ''
  const leader = `copies-lead-${language}`
  beforeAll(async () => {
    const { admin } = suite().product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `copies-${language}` } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
    envId = env?.uuid ?? ''
  })

  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })
  const state = ({ page, say }: Story, key: Parameters<Story['say']>[0]) =>
    page.getByRole('heading', { level: 1 }).getByText(say(key), { exact: true }).waitFor()
  const agree = async (story: Story, key: Parameters<Story['say']>[0]) => {
    const dialog = story.page.getByRole('dialog')
    await story.press(dialog.getByRole('button', { name: story.say(key) }))
    await dialog.waitFor({ state: 'hidden' })
  }

  /** Creates a stack with a service of two instances, and opens its page. */
  async function opened(stackName: string) {
    const { product, enter } = suite()
    const stack = await product.admin.call(stacks.create, { params: { teamId }, body: { name: stackName, envId } })
    const { id } = await product.admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: image('1'), replicas: 2, ports: [{ port: 8080 }] },
    })
    const story = await enter(leader)
    await story.page.goto(`/teams/${teamId}/appcenter?keyword=${stackName}`)
    await story.press(story.page.getByRole('link', { name: 'web', exact: true }))
    await state(story, 'state-stable')
    return { story, id }
  }

  const upgrade = async (story: Story, to: string, way: Parameters<Story['say']>[0]) => {
    const { page, say, press, write, choose } = story
    await press(button(story, say('stacks-ui-upgrade')))
    await write(story.field(say('stacks-ui-image')), to)
    await choose(page.getByRole('combobox', { name: say('stacks-ui-way'), exact: true }), say(way))
  }
  const send = async (story: Story, to: string) => {
    const { page, say, press, check } = story
    await press(button(story, say('stacks-ui-review')))
    await page.getByRole('dialog').getByText(to).first().waitFor()
    await check()
    await agree(story, 'stacks-ui-upgrade')
  }

  test('blue/green: both versions run, the new one is confirmed and gets all requests', async () => {
    const { story } = await opened('blue')
    const { page, say, press, check } = story
    await upgrade(story, image('2'), 'stacks-ui-way-bluegreen')
    await check()
    await send(story, image('2'))
    await state(story, 'state-upgraded')
    await page
      .getByText(/web-next\./)
      .first()
      .waitFor()
    await page.getByText('2/2', { exact: true }).first().waitFor()
    await check()
    await press(button(story, say('stacks-ui-confirm')))
    await agree(story, 'stacks-ui-confirm')
    await state(story, 'state-stable')
    await page.getByText(image('2')).first().waitFor()
    await check()
    await story.end()
  })

  test('gray: proceeds step by step, and is cancelled in the middle', async () => {
    const { story } = await opened('slow')
    const { page, say, press, write, check } = story
    await upgrade(story, image('2'), 'stacks-ui-way-gray')
    await page.getByText(say('stacks-gray-no-ways', { name: 'web', stack: 'slow' })).waitFor()
    const step = (at: number, of: 'stacks-ui-gray-weight' | 'stacks-ui-gray-pause') =>
      page.getByRole('spinbutton', { name: `${say('stacks-ui-gray-step', { step: at })}: ${say(of)}`, exact: true })
    await write(step(2, 'stacks-ui-gray-weight'), '10')
    await check()
    await write(step(2, 'stacks-ui-gray-weight'), '100')
    await send(story, image('2'))
    await page.getByText(say('stacks-ui-gray-at', { step: 1, all: 2, weight: 20 })).waitFor()
    await check()
    await press(button(story, say('stacks-ui-gray-go-on')))
    await state(story, 'state-upgraded')
    await page.getByText(say('stacks-ui-gray-at', { step: 2, all: 2, weight: 100 })).waitFor()
    await check()
    await press(button(story, say('stacks-ui-rollBack')))
    await agree(story, 'stacks-ui-rollBack')
    await state(story, 'state-stable')
    await page.getByText(image('1')).first().waitFor()
    await check()
    await story.end()
  })

  test('a service returns to a revision, and the history records it', async () => {
    const { story, id } = await opened('undo')
    const { page, say, press, pick, check } = story
    await upgrade(story, image('2'), 'stacks-ui-way-edit')
    await press(button(story, say('stacks-ui-review')))
    await page.getByRole('dialog').getByText(image('2')).first().waitFor()
    await agree(story, 'stacks-ui-way-put')
    await state(story, 'state-stable')
    await page.goto(`${page.url().split('?')[0]}?tab=revisions`)
    await page.getByRole('table', { name: say('stacks-ui-revisions') }).waitFor()
    await check()
    await pick(button(story, say('ui-actions-of', { name: `${say('stacks-ui-revision')} 1` })), say('stacks-ui-return'))
    await page.getByRole('dialog').getByText(image('1')).first().waitFor()
    await check()
    await agree(story, 'stacks-ui-upgrade')
    await state(story, 'state-upgraded')
    await suite().product.admin.call(revisions.get, { params: { teamId, envId, id, revision: 3 } })
    await page.goto(`${page.url().split('?')[0]}?tab=history`)
    await page.getByText(say('audit-action-service.return')).first().waitFor()
    await check()
    await story.end()
  })
})
