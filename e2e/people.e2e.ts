import { teams } from '@gantry/contract/teams/teams'
import { users } from '@gantry/contract/users/users'
import { expect, test } from 'vitest'
import { newUser, password } from './product.ts'
import { signIn, stories } from './story.ts'

/** Users and teams, managed by an administrator and a leader. */

stories('people', (suite, { language }) => {
  const named = (name: string) => `${name}-${language}`
  const known = async (keyword: string) =>
    (await suite().product.admin.call(users.list, { query: { keyword } })).items.map(({ userName }) => userName)

  test('a user is created, banned and unbanned; the initial password is shown once', async () => {
    const name = named('ada')
    const story = await suite().enter('admin')
    const { page, say, press, write, choose, pick, check } = story
    await page.goto('/sysconfig/users')
    await press(page.getByRole('button', { name: say('users-ui-create') }).first())
    const dialog = page.getByRole('dialog')
    await write(dialog.getByLabel(say('users-ui-name'), { exact: true }), name)
    await write(dialog.getByLabel(say('users-ui-nickname')), 'Ada')
    await write(dialog.getByLabel(say('users-ui-email')), `${name}@example.com`)
    await choose(dialog.getByRole('combobox'), 'default')
    await check()
    await press(dialog.getByRole('button', { name: say('users-ui-create') }))
    await dialog.getByText(say('users-ui-made-text')).waitFor()
    const secret = await dialog.locator('.g-mono').innerText()
    await check()
    await page.keyboard.press('Escape')
    await press(dialog.getByRole('button', { name: say('ui-secret-kept') }))
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(secret)

    await page.goto(`/sysconfig/users?keyword=${name}`)
    const actions = page.getByRole('button', { name: say('ui-actions-of', { name }) })
    await pick(actions, say('users-ui-ban'))
    await check()
    await press(dialog.getByRole('button', { name: say('users-ui-ban') }))
    await page.locator('td').getByText(say('user-state-disabled')).waitFor()
    await pick(actions, say('users-ui-unban'))
    await page.locator('td').getByText(say('user-state-normal')).waitFor()
    await check()
    await story.end()
  })

  test('a file is previewed, then all its users are created; together they are deleted', async () => {
    const [one, other] = [named('grace'), named('linus')]
    const story = await suite().enter('admin')
    const { page, say, press, write, tick, check } = story
    await page.goto('/sysconfig/users')
    await press(page.getByRole('button', { name: say('users-ui-import') }))
    const dialog = page.getByRole('dialog')
    const give = (rows: string) =>
      dialog.locator('input[type=file]').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`userName,nickname,email,team\n${rows}`),
      })
    await check()
    await give(`${one},Grace,${one}@x.test,nowhere\n`)
    await dialog.getByText(say('import-team-unknown', { team: 'nowhere' })).waitFor()
    await check()
    await press(dialog.getByRole('button', { name: say('users-ui-import-other') }))
    await give(`${one},Grace,${one}@x.test,default\n${other},Linus,${other}@x.test,\n`)
    await press(dialog.getByRole('button', { name: say('users-ui-import-count', { count: 2 }) }))
    await dialog.getByText(say('users-ui-import-done', { count: 2 })).waitFor()
    await check()
    const saved = page.waitForEvent('download')
    await press(dialog.getByRole('button', { name: say('users-ui-import-save') }))
    expect((await saved).suggestedFilename()).toBe('initial-passwords.csv')
    await press(dialog.getByRole('button', { name: say('ui-close') }).last())
    expect([await known(one), await known(other)]).toEqual([[one], [other]])

    await page.goto(`/sysconfig/users?keyword=-${language}@x.test`)
    for (const name of [one, other]) await tick(page.getByRole('checkbox', { name: say('ui-choose', { name }) }))
    const chosen = page.getByRole('region', { name: say('ui-chosen-region') })
    await press(chosen.getByRole('button', { name: say('ui-delete') }))
    await dialog.getByText(say('users-ui-delete-many', { count: 2 })).waitFor()
    await write(dialog.getByLabel(say('ui-type-to-confirm', { word: 'ok' })), 'ok')
    await check()
    await press(dialog.getByRole('button', { name: say('ui-delete') }))
    await dialog.waitFor({ state: 'hidden' })
    expect([await known(one), await known(other)]).toEqual([[], []])
    await story.end()
  })

  test('a team is created, gets a member who becomes its leader, and is deleted after its name is typed', async () => {
    const { product } = suite()
    const [team, name] = [named('crew'), named('barbara')]
    await product.admin.call(users.create, { body: { userName: name, nickname: name, email: `${name}@x.test` } })
    const story = await suite().enter('admin')
    const { page, say, press, write, choose, pick, check } = story
    await page.goto('/sysconfig/teams')
    await press(page.getByRole('button', { name: say('teams-ui-create') }).first())
    const dialog = page.getByRole('dialog')
    await write(dialog.getByLabel(say('teams-ui-name')), team)
    await check()
    await press(dialog.getByRole('button', { name: say('teams-ui-create') }))
    await page.waitForURL('**/sysconfig/teams/edit?*tab=members*')
    await page.getByRole('heading', { level: 1, name: team }).waitFor()
    await check()

    await press(page.getByRole('button', { name: say('teams-ui-add') }).first())
    await write(dialog.getByRole('combobox', { name: say('teams-ui-users') }), name)
    // found, and no longer among all users that could be added
    await expect
      .poll(() => page.locator('.ant-select-item-option').allTextContents())
      .toEqual([expect.stringContaining(name)])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await choose(dialog.getByRole('combobox', { name: say('teams-ui-role') }), /^viewer/)
    await press(dialog.getByRole('button', { name: say('teams-ui-add') }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('row', { name }).getByText('viewer').waitFor()
    await pick(page.getByRole('button', { name: say('ui-actions-of', { name }) }), say('teams-ui-role-set'))
    await choose(dialog.getByRole('combobox'), new RegExp(`^${say('teams-ui-leader')}`))
    await check()
    await press(dialog.getByRole('button', { name: say('ui-save') }))
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('row').getByText(say('teams-ui-leader'), { exact: true }).count()).toBe(2)
    await check()

    await page.goto('/sysconfig/teams')
    await pick(page.getByRole('button', { name: say('ui-actions-of', { name: team }) }), say('ui-delete'))
    await write(dialog.getByLabel(say('ui-type-to-confirm', { word: 'ok' })), 'ok')
    await check()
    await press(dialog.getByRole('button', { name: say('ui-delete') }))
    await dialog.waitFor({ state: 'hidden' })
    const left = await product.admin.call(teams.list, { query: { keyword: team } })
    expect(left.items).toEqual([])
    await story.end()
  })

  test('a link to join is created, and a user without a team logs in by it once', async () => {
    const { product, open } = suite()
    const name = named('joan')
    const team = named('joining')
    const { id } = await product.admin.call(teams.create, { body: { name: team } })
    const joan = await newUser(product, name, { teamId: id })
    await product.admin.call(teams.removeMember, { params: { id, userId: joan.id } })
    const leader = await suite().enter('admin')
    await leader.page.goto(`/administration-team/${id}/members`)
    await leader.press(leader.page.getByRole('button', { name: leader.say('teams-ui-add') }).first())
    const dialog = leader.page.getByRole('dialog')
    await leader.reach(dialog.getByRole('radio').first())
    await leader.page.keyboard.press('ArrowRight')
    await leader.choose(dialog.getByRole('combobox', { name: leader.say('teams-ui-role') }), /^developer/)
    await leader.check()
    await leader.press(dialog.getByRole('button', { name: leader.say('teams-ui-join-create') }))
    const link = await dialog.locator('.g-mono').innerText()
    await leader.check()
    await leader.press(dialog.getByRole('button', { name: leader.say('ui-secret-kept') }))

    const story = await open()
    const { page, say, press, check } = story
    await page.goto(new URL(link).pathname + new URL(link).hash)
    await page.getByRole('heading', { name: say('join-title', { team }) }).waitFor()
    await check()
    await press(page.getByRole('button', { name: say('auth-login') }))
    await page.waitForURL('**/login')
    await signIn(story, name, password)
    await page.waitForURL(`**/teams/${id}/dashboard`)
    await check()
    await story.end()

    const late = await open()
    await late.page.goto(new URL(link).pathname + new URL(link).hash)
    await late.page.getByRole('heading', { name: late.say('join-over-title') }).waitFor()
    await late.check()
    await late.end(/\/api\/public\/join-link/)
    await leader.end()
  })
})
