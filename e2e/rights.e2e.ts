import { users } from '@gantry/contract/users/users'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { beforeAll, expect, test } from 'vitest'
import { newUser } from './product.ts'
import { stories } from './story.ts'
import { takePicture } from './walk/pictures.ts'

/** Permissions: set by a leader, met by a member, and used by programs. */

stories('rights', (suite, look) => {
  const { language } = look
  let teamId = 0
  const leader = `rights-leader-${language}`
  beforeAll(async () => {
    const { product } = suite()
    ;({ id: teamId } = await product.admin.call(teams.create, { body: { name: `rights-${language}` } }))
    await newUser(product, leader, { teamId, roleId: 'leader' })
  })

  test('a leader creates a role from a template, changes it in the table, views the team as it, and ends the view', async () => {
    const story = await suite().enter(leader)
    const { page, say, press, write, choose, tick, pick, check } = story
    await page.goto(`/administration-team/${teamId}/roles/roleList`)
    await page
      .getByRole('button', { name: say('teams-ui-role-create') })
      .first()
      .waitFor()
    await page.getByText(say('role-template-operator'), { exact: true }).first().waitFor()
    await takePicture(page, 'roles-of-a-new-team', look)
    await press(page.getByRole('button', { name: say('teams-ui-role-create') }).first())
    const dialog = page.getByRole('dialog')
    await write(dialog.getByLabel(say('teams-ui-role-name')), 'on-call')
    await choose(dialog.getByRole('combobox'), say('role-template-operator'))
    await check()
    await press(dialog.getByRole('button', { name: say('teams-ui-role-create') }))

    await page.waitForURL('**/roles/roleEdit?role=*')
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
    await box(say('permission.stack_service_operate')).waitFor()
    expect(await box(say('permission.stack_service_operate')).isChecked()).toBe(true)
    expect(await box(say('permission.stack_service_delete')).isChecked()).toBe(false)
    await tick(box(say('permission.stack_service_delete')))
    const changes = page.getByRole('list', { name: say('roles-ui-changed') })
    await changes.getByText(say('permission.stack_service_delete')).waitFor()
    await check()
    // leaving by a link asks first
    await press(page.getByRole('link', { name: say('route-team-roles') }).first())
    await press(page.getByRole('dialog').getByRole('button', { name: say('ui-cancel') }))
    await press(page.getByRole('button', { name: say('ui-save') }))
    await page.waitForURL('**/roles/roleList')

    await pick(page.getByRole('button', { name: say('ui-actions-of', { name: 'on-call' }) }), say('roles-ui-view-as'))
    await page.waitForURL(`**/teams/${teamId}/dashboard`)
    const stop = page.getByRole('button', { name: say('view-as-stop', { role: 'on-call' }) })
    await stop.waitFor()
    await page.getByRole('heading', { level: 1, name: say('dashboard-hello', { name: leader }) }).waitFor()
    await check()
    // another tab of the login has the same view, and is notified when it ends
    const other = await story.tab()
    await other.page.goto(`/teams/${teamId}/dashboard`)
    const otherStop = other.page.getByRole('button', { name: say('view-as-stop', { role: 'on-call' }) })
    await otherStop.waitFor()
    await press(stop)
    await stop.waitFor({ state: 'hidden' })
    await otherStop.waitFor({ state: 'hidden' })
    await story.end()
  })

  test('a button is disabled when its role loses the permission while the page is open, and says who can grant it', async () => {
    const { product } = suite()
    const name = `rights-member-${language}`
    const role = await product.admin.call(roles.create, {
      params: { teamId },
      query: { roleName: 'helper', template: 'maintainer' },
    })
    await newUser(product, name, { teamId, roleId: role.id })
    const story = await suite().enter(name)
    const { page, say, reach, check } = story
    await page.goto(`/administration-team/${teamId}/roles/roleList`)
    const create = page.getByRole('button', { name: say('teams-ui-role-create') }).first()
    await create.waitFor()
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false')
    await product.admin.call(roles.setPermissions, {
      params: { teamId, roleId: role.id },
      body: [{ name: 'team_role_create', enable: false }],
    })
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
    await reach(create)
    await page
      .getByRole('tooltip')
      .filter({ hasText: say('permission.team_role_create') })
      .getByText(leader)
      .waitFor()
    // it is measured beside the window before it is placed
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
    await check()
    // a tab that was elsewhere meanwhile has kept the old permissions, and reads them again
    const { url } = product
    await page.goto('about:blank')
    await product.admin.call(roles.setPermissions, {
      params: { teamId, roleId: role.id },
      body: [{ name: 'team_role_create', enable: true }],
    })
    await page.goto(`${url}/administration-team/${teamId}/roles/roleList`)
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false')
    await story.end()
  })

  test('a locked screen names the permission and who grants it, its menu entry is dimmed, and it opens once granted', async () => {
    const { product } = suite()
    const name = `newcomer-${language}`
    const { id: newcomer } = await newUser(product, name, { teamId })
    const { id: roleId } = await product.admin.call(roles.create, {
      params: { teamId },
      query: { roleName: 'reader', template: 'viewer' },
    })
    const story = await suite().enter(name)
    const { page, say, check } = story
    await page.goto(`/teams/${teamId}/cd`)
    const locked = page.locator('.g-locked')
    await locked.getByText(say('permission.pipeline_pipeline_view')).waitFor()
    await locked.getByText(leader).waitFor()
    const entry = page.locator('nav [aria-current=page]', { hasText: say('route-pipeline-v1-list') })
    expect(await entry.locator('.g-icon').count()).toBe(2)
    await check()
    await product.admin.call(teams.assignRole, { params: { id: teamId, userId: newcomer }, body: roleId })
    await locked.waitFor({ state: 'detached' })
    await page.getByText(say('pipelines-ui-none')).waitFor()
    await expect.poll(() => entry.locator('.g-icon').count()).toBe(1)
    await story.end()
  })

  test('a token is created, its secret is shown once and works, and it is deleted', async () => {
    const { product } = suite()
    const story = await suite().enter(leader)
    const { page, say, press, write, pick, check } = story
    await page.goto(`/administration-team/${teamId}/api-token`)
    await press(page.getByRole('button', { name: say('tokens-ui-create') }).first())
    const dialog = page.getByRole('dialog')
    await write(dialog.getByLabel(say('tokens-ui-alias')), 'nightly')
    await check()
    await press(dialog.getByRole('button', { name: say('tokens-ui-create') }))
    await dialog.getByText(say('tokens-ui-made-text')).waitFor()
    await check()
    const secret = (await dialog.getByText(/^gt_/).innerText()).trim()
    const answer = await fetch(`${product.url}/api/tenants/${teamId}/pipelines`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(answer.status).toBe(200)
    await press(dialog.getByRole('button', { name: say('ui-secret-kept') }))
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(secret)
    await check()

    await pick(page.getByRole('button', { name: say('ui-actions-of', { name: 'nightly' }) }), say('ui-delete'))
    await press(page.getByRole('dialog').getByRole('button', { name: say('ui-delete') }))
    await page.getByText(say('tokens-ui-none')).waitFor()
    expect(await product.admin.call(tokens.list, { params: { teamId } })).toEqual([])
    await story.end()
  })

  test('an administrator grants a system role, and its holder sees a team without being a member', async () => {
    const { product } = suite()
    const name = `rights-auditor-${language}`
    await newUser(product, name, { teamId })
    const { items } = await product.admin.call(users.list, { query: { keyword: name } })
    const id = items[0]?.id ?? 0
    const admin = await suite().enter('admin')
    const { page, say, press, tick, pick, check } = admin
    await page.goto('/sysconfig/roles')
    await page.getByText(say('system-role-platform-auditor')).waitFor()
    await check()
    await page.goto(`/sysconfig/users?keyword=${name}`)
    await pick(page.getByRole('button', { name: say('ui-actions-of', { name }) }), say('roles-ui-assign'))
    const dialog = page.getByRole('dialog')
    await tick(dialog.getByRole('checkbox', { name: say('system-role-platform-auditor') }))
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(say('system-role-platform-auditor')).first().waitFor()
    await product.admin.call(teams.removeMember, { params: { id: teamId, userId: id } })
    await admin.end()

    const auditor = await suite().enter(name)
    await auditor.page.goto(`/administration-team/${teamId}/roles/roleList`)
    await auditor.page.getByRole('heading', { name: auditor.say('route-team-roles') }).waitFor()
    await auditor.check()
    await auditor.end()
  })
})
