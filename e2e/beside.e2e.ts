import { configProjects } from '@gantry/contract/config-centre/projects'
import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { products } from '@gantry/contract/products/products'
import { teams } from '@gantry/contract/teams/teams'
import { beforeAll, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** What a colleague does shows in a browser beside, which does nothing. */
stories('the browser beside', (suite, { language }) => {
  const leader = `beside-lead-${language}`
  let teamId = 0
  let appId = 0
  beforeAll(async () => {
    const { admin } = suite().product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `beside-${language}` } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'harbour' } }))
  })
  const admin = () => suite().product.admin
  const definition = { stages: [{ name: 'all', steps: [{ type: 'script' as const, name: 'run', run: 'true' }] }] }

  test('shows what a colleague adds and deletes, on lists that are open', async () => {
    const { page, end } = await suite().enter(leader)
    const on = async (screen: string) => {
      await page.goto(`/teams/${teamId}/${screen}`)
      await page.locator('h1').first().waitFor()
    }
    await on('cd')
    await admin().call(definitions.create, { body: { appId, projectName: 'lights', definition } })
    await page.getByText('lights', { exact: true }).first().waitFor()
    await on('cd/pipeline-groups')
    await admin().call(groups.create, { params: { teamId }, body: { name: 'lighthouse' } })
    await page.getByText('lighthouse', { exact: true }).first().waitFor()
    await on('dockerfile')
    await admin().call(dockerfiles.create, { params: { teamId }, body: { name: 'buoy', content: 'FROM scratch' } })
    await page.getByText('buoy', { exact: true }).first().waitFor()
    await on('configcenter/manage')
    await admin().call(configProjects.create, { params: { teamId }, body: { name: 'tides' } })
    await page.getByText('tides', { exact: true }).first().waitFor()
    await on('products/personal')
    const product = await admin().call(products.create, { params: { team: teamId }, body: { name: 'ferry' } })
    const ferry = page.getByText('ferry', { exact: true }).first()
    await ferry.waitFor()
    await admin().call(products.remove, { params: { team: teamId, id: product.id }, query: { confirm: 'ferry' } })
    await ferry.waitFor({ state: 'detached' })
    await end()
  })
})
