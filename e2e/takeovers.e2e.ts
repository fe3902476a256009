import { clusters } from '@gantry/contract/clusters/clusters'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { elsewhere } from './elsewhere.ts'
import { stories, type Story } from './story.ts'

const workload = (name: string, spec: object = {}) => ({
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name,
            image: `registry.example.org/shop/${name}:1`,
            ports: [{ containerPort: 8080 }],
            resources: { limits: { cpu: '100m', memory: '64Mi' } },
          },
        ],
        ...spec,
      },
    },
  },
})

stories('takeovers', (suite, { language }) => {
  const namespace = `by-hand-${language}`
  const team = `takeovers-${language}`
  let teamId = 0
  let envId = ''
  beforeAll(async () => {
    const { admin, data } = suite().product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: team } }))
    const { items } = await admin.call(clusters.list, { query: { pageSize: -1 } })
    envId = items.find(({ name }) => name === 'sandbox')?.uuid ?? ''
    await elsewhere(data, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } })
    const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`
    await elsewhere(data, 'POST', deployments, workload('shop'))
    await elsewhere(data, 'POST', deployments, workload('probe', { hostNetwork: true }))
  })
  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })

  test('a namespace that was created by hand becomes a stack of a team, without settings that a service cannot express', async () => {
    const story = await suite().enter('admin')
    const { page, say, press, write, pick, find, check } = story
    await page.goto('/teams/1/resourcemanager/cluster')
    await pick(button(story, say('ui-actions-of', { name: 'sandbox' })), say('takeovers-ui-open'))
    await page.getByRole('heading', { level: 1, name: say('takeovers-ui-title', { cluster: 'sandbox' }) }).waitFor()
    await check()
    await page.goto(`/teams/1/resourcemanager/cluster/environments-detail/${envId}/take-over?namespace=${namespace}`)
    await find(story.field(say('takeovers-ui-team')), team)
    await write(story.field(say('blueprints-ui-stack')), 'brought')
    await press(button(story, say('takeovers-ui-preview')))
    const result = page.getByRole('region', { name: say('takeovers-ui-preview') })
    await result.getByText(say('takeovers-ui-lost')).waitFor()
    await result.getByText('spec.template.spec.hostNetwork').waitFor()
    await check()
    await press(button(story, say('takeovers-ui-send', { count: 1 })))
    await page.waitForURL(`**/teams/${teamId}/appcenter**`)
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
    await check()
    await story.end()
  })
})
