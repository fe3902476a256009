import { randomBytes } from 'node:crypto'
import { certificates } from '@gantry/contract/certificates/certificates'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, expect, test } from 'vitest'
import { certificates as pairs } from '../apps/server/test/certificates.ts'
import { newUser } from './product.ts'
import { stories, type Story } from './story.ts'

/** Ways into a stack and out of it, in the sandbox, whose controller only reports that it has accepted them. */

stories('ways', (suite, { language }) => {
  let teamId = 0
  let envId = ''
  const leader = `ways-lead-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `ways-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const [env] = await product.admin.call(clusters.ofTeam, { params: { teamId } })
    envId = env?.uuid ?? ''
  })
  /** Creates a stack with a service that opens a port, and a host name that no other story uses. */
  async function shop(name: string) {
    const { admin } = suite().product
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name, envId } })
    await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: 'registry.example.org/shop/web:1', ports: [{ port: 8080 }] },
    })
    return { stack, host: `h${randomBytes(4).toString('hex')}.example.com` }
  }

  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })
  const field = ({ page, say }: Story, key: Parameters<Story['say']>[0]) => page.getByLabel(say(key), { exact: true })
  const state = ({ page, say }: Story, key: Parameters<Story['say']>[0]) =>
    page.getByRole('heading', { level: 1 }).getByText(say(key), { exact: true }).waitFor()
  /** Selects by typing in a list. */
  async function choose(story: Story, key: Parameters<Story['say']>[0], value: string) {
    await story.write(story.page.getByRole('combobox', { name: story.say(key), exact: true }), value)
    await story.page.getByRole('option', { name: value }).first().waitFor({ state: 'attached' })
    await story.page.keyboard.press('Enter')
  }

  test('an ingress is created and viewed, and its host is reported as taken', async () => {
    const { stack, host } = await shop('front')
    const story = await suite().enter(leader)
    const { page, say, press, reach, write, pick, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=${stack.name}`)
    await pick(button(story, say('ui-actions-of', { name: stack.name })), say('outward-ui-new-ingress'))
    await write(field(story, 'stacks-ui-service-name'), 'shop')
    await choose(story, 'outward-ui-group', 'sandbox')
    await write(field(story, 'outward-ui-host'), host)
    await choose(story, 'outward-ui-target', 'web')
    await write(field(story, 'outward-ui-target-port'), '8080')
    await check()
    await press(button(story, say('stacks-ui-deploy')))
    await state(story, 'state-stable')
    await page.getByText(say('outward-ui-state-open'), { exact: true }).waitFor()
    await page.getByRole('link', { name: `http://${host}/` }).waitFor()
    await check()
    await reach(page.getByRole('tab', { selected: true }))
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: say('access-log-ui'), selected: true }).waitFor()
    await page.getByRole('status').getByText('sandbox.gantry').waitFor()
    await check()

    await page.goto(`/teams/${teamId}/appcenter?keyword=${stack.name}`)
    await pick(button(story, say('ui-actions-of', { name: stack.name })), say('outward-ui-new-lb'))
    await write(field(story, 'stacks-ui-service-name'), 'again')
    await write(story.field(say('outward-ui-host')), host)
    await page.getByRole('status').getByText(`${stack.name}/shop`).waitFor()
    await check()

    await page.goto(`/teams/${teamId}/global-ingress/list`)
    await check()
    await press(page.getByRole('link', { name: host, exact: true }))
    await page.getByRole('heading', { level: 1, name: host }).waitFor()
    await page.getByText(`http://${host}/`, { exact: true }).first().waitFor({ state: 'attached' })
    await check()
    await press(page.getByRole('link', { name: '80', exact: true }).first())
    await page.getByRole('heading', { level: 1, name: say('global-ingress-port', { port: 80 }) }).waitFor()
    await page.getByRole('link', { name: host, exact: true }).first().waitFor()
    await check()
    await story.end()
  })

  test('a load balancer is changed after a preview of the changes', async () => {
    const { stack, host } = await shop('balance')
    const { admin } = suite().product
    await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'lb' },
      body: {
        outward: { type: 'lb', rules: [{ name: 'web', port: 80, host, targets: [{ service: 'web', port: 8080 }] }] },
      },
    })
    const story = await suite().enter(leader)
    const { page, say, press, write, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=${stack.name}`)
    await press(page.getByRole('link', { name: 'lb', exact: true }))
    await state(story, 'state-stable')
    await press(button(story, say('stacks-ui-upgrade')))
    await write(field(story, 'stacks-ui-path'), '/api')
    await press(button(story, say('stacks-ui-review')))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('/api').first().waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('stacks-ui-upgrade') }))
    await page.getByRole('link', { name: `http://${host}/api` }).waitFor()
    await check()
    await story.end()
  })

  test('a load balancer is changed, and keeps the team’s certificate for its host', async () => {
    const { stack, host } = await shop('sealed')
    const { admin } = suite().product
    const [{ certificate, key: privateKey }] = pairs
    // not the team's name, which every page shows
    const name = `sealed-${language}`
    const { id: certificateId } = await admin.call(certificates.create, { body: { name, certificate, privateKey } })
    await admin.call(certificates.allocate, { params: { certificateId, teamId } })
    const rules = [
      { name: 'web', protocol: 'HTTPS' as const, port: 443, host, targets: [{ service: 'web', port: 8080 }] },
    ]
    const { id } = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'lb' },
      body: { outward: { type: 'lb', rules, certificates: [{ host, certificateId }] } },
    })
    const story = await suite().enter(leader)
    const { page, say, press, write, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=${stack.name}`)
    await press(page.getByRole('link', { name: 'lb', exact: true }))
    await state(story, 'state-stable')
    await press(button(story, say('stacks-ui-upgrade')))
    await page.getByText(name).first().waitFor()
    await check()
    await write(field(story, 'stacks-ui-path'), '/api')
    await press(button(story, say('stacks-ui-review')))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('/api').first().waitFor()
    await press(dialog.getByRole('button', { name: say('stacks-ui-upgrade') }))
    await page.getByRole('link', { name: `https://${host}/api` }).waitFor()
    await check()
    const { spec } = await admin.call(services.get, { params: { teamId, envId, id } })
    expect(spec.outward).toMatchObject({ certificates: [{ host, certificateId }] })
    await story.end()
  })

  test('an external service is refused with the reason, then created', async () => {
    const { stack } = await shop('out')
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, check } = story
    await page.goto(`/teams/${teamId}/appcenter?keyword=${stack.name}`)
    await pick(button(story, say('ui-actions-of', { name: stack.name })), say('outward-ui-new-external'))
    await write(field(story, 'stacks-ui-service-name'), 'db')
    await write(page.getByLabel(say('outward-ui-addresses')), '127.0.0.1')
    await press(button(story, say('stacks-ui-port-add')))
    await write(field(story, 'stacks-ui-port'), '5432')
    await press(button(story, say('stacks-ui-deploy')))
    await page.getByText(say('external-address-refused')).waitFor()
    await check()
    await write(page.getByLabel(say('outward-ui-addresses')), '192.0.2.10')
    await press(button(story, say('stacks-ui-deploy')))
    await state(story, 'state-stable')
    await page.getByText(`db.ways-${language}-${stack.name}.svc:5432`).first().waitFor()
    await check()
    await story.end()
  })
})
