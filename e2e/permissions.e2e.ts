import { setTimeout as sleep } from 'node:timers/promises'
import { environments } from '@gantry/contract/clusters/environments'
import { hosts } from '@gantry/contract/clusters/hosts'
import { sample, type Sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { teams } from '@gantry/contract/teams/teams'
import { roles } from '@gantry/contract/teams/roles'
import { users } from '@gantry/contract/users/users'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { paths } from '../apps/console/src/paths.gen.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** Every screen, found from the list of routes, as somebody without a role, a leader and an administrator meet it. */

/** Screens of things that neither the sample nor the sandbox has. */
const without = new Set(['resourcemanager-zone-detail', 'sys-ldap-edit', 'login', 'register'])
const settings = (name: string) => name.startsWith('sys-')

stories('permissions', (theatre, { language }) => {
  const screens = new Map<string, string>()
  let teamId = 0
  let roleId = 0
  let pipelineName = ''
  const someone = (who: 'member' | 'leader') => `${who}-${language}`
  beforeAll(async () => {
    const { product } = theatre()
    const { admin } = product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `walk-${language}` } }))
    const inTeam = { params: { teamId } }
    const clusters = await admin.call(environments.list, { query: { pageSize: -1 } })
    for (const cluster of clusters.items)
      await admin.call(environments.assign, { params: { env: cluster.uuid }, query: { tenant: teamId } })
    await newUser(product, someone('member'), { teamId })
    await newUser(product, someone('leader'), { teamId, roleId: 'leader' })
    ;({ id: roleId } = await admin.call(roles.create, { ...inTeam, query: { roleName: 'helper', template: 'viewer' } }))
    await admin.call(sample.create, inTeam)
    let made: Sample
    do {
      await sleep(500)
      made = await admin.call(sample.get, inTeam)
    } while (made.build?.state !== 'success')
    const { pipeline, product: shop, stack, service } = made
    if (!pipeline || !shop || !stack || !service) throw new Error('the sample is not whole')
    pipelineName = pipeline.name
    const { items: running } = await admin.call(services.containers, {
      params: { teamId, envId: stack.envId, id: service.id },
    })
    const { items: machines } = await admin.call(hosts.list, { query: { envUuid: stack.envId } })
    const values: Record<string, string | number> = {
      team_id: teamId,
      pipeline_group_id: pipeline.groupId,
      pipeline_id: pipeline.id,
      build_number: 1,
      product_id: shop.id,
      app_name: shop.name,
      env_id: stack.envId,
      env_uuid: stack.envId,
      stack_id: stack.id,
      stack_uuid: stack.uuid,
      stack_name: stack.name,
      service_id: service.id,
      service_name: service.name,
      sname: service.name,
      service_type: 'bs',
      container_name: running[0]?.name ?? '',
      from: 'list',
      host_name: machines[0]?.name ?? '',
      host_ip: machines[0]?.ip ?? '',
      host_uuid: machines[0]?.uuid ?? '',
    }
    for (const [name, path] of Object.entries(paths)) {
      if (without.has(name)) continue
      const at = path.replaceAll(/\$(\w+)/g, (_, key: string) => {
        if (!values[key]) throw new Error(`${name} needs ${key}: say where the story finds one`)
        return encodeURIComponent(values[key])
      })
      const query = name === 'team-role-edit' ? `?role=${roleId}` : name === 'sys-team-edit' ? `?team_id=${teamId}` : ''
      screens.set(name, at + query)
    }
  })

  test.for(['member', 'leader', 'admin'] as const)(
    '%s meets no red box and no dead button on any screen',
    async (who) => {
      const story = await theatre().enter(who === 'admin' ? 'admin' : someone(who))
      const { page, check } = story
      const faults: string[] = []
      for (const [name, at] of screens) {
        await page.goto(at)
        await page.locator('h1').first().waitFor()
        // what a screen reads comes as its skeletons go; charts and streams go on
        await page
          .locator('.g-skeleton')
          .first()
          .waitFor({ state: 'detached', timeout: 5000 })
          .catch(() => undefined)
        await page.waitForTimeout(300)
        faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`))
        if (who === 'member') {
          const locked = await page.locator('.g-locked').count()
          if (locked > 1) faults.push(`${name}: is locked ${locked} times`)
          await check()
        }
        if (who !== 'admin' && settings(name)) {
          await page.getByText(story.say('shell-admin-only')).waitFor()
          expect(await page.locator('nav a[href^="/sysconfig"]').count()).toBe(0)
        }
      }
      expect(faults).toEqual([])
      await story.end(/./)
    },
  )

  test('a locked screen names the permission and who grants it, its entry in the menu is dimmed, and it opens once granted', async () => {
    const { product } = theatre()
    const story = await theatre().enter(someone('member'))
    const { page, say, check } = story
    await page.goto(screens.get('pipeline-v1-list') ?? '')
    const locked = page.locator('.g-locked')
    await locked.getByText(say('permission.pipeline_pipeline_view')).waitFor()
    await locked.getByText(someone('leader')).waitFor()
    const entry = page.locator('nav [aria-current=page]', { hasText: say('route-pipeline-v1-list') })
    expect(await entry.locator('.g-icon').count()).toBe(2)
    await check()
    const [member] = await product.admin
      .call(users.list, { query: { keyword: someone('member') } })
      .then(({ items }) => items)
    await product.admin.call(teams.assignRole, { params: { id: teamId, userId: member?.id ?? 0 }, body: roleId })
    await locked.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: pipelineName, exact: true }).first().waitFor()
    expect(await entry.locator('.g-icon').count()).toBe(1)
    await story.end()
  })
})

/** Red boxes, raw keys, and buttons that can neither be used nor say why. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seen = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())
    return [
      ...seen('.g-failed, .g-toast-error').map(({ innerText }) => `red: ${innerText.replaceAll('\n', ' | ')}`),
      ...seen('main button:disabled:not(.g-pager *), main [aria-disabled=true]:not(.g-blocked, [role])').map(
        ({ outerHTML }) => `dead: ${outerHTML.slice(0, 200)}`,
      ),
    ]
  })
