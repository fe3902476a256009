import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { patient, runBuild } from './builds.ts'
import { stories } from './story.ts'

/** Logs, terminals and editors fill the rest of the window; screens open at their top, failed builds at the failure. */

const compile = `for n in $(seq 1 400); do echo "compiled module $n"; done`
const check = `for n in $(seq 1 300); do echo "checked module $n"; done
echo "error: module 42 is broken"
exit 3`

stories('panes', (suite, { language, width }) => {
  let teamId = 0
  let build = ''
  let service = ''
  let pipelineScreens = ''
  let host = ''
  beforeAll(async () => {
    const { product } = suite()
    const { admin } = product
    ;({ id: teamId } = await admin.call(teams.create, { body: { name: `panes-${language}` } }))
    const { id: appId } = await admin.call(groups.create, { params: { teamId }, body: { name: 'quay' } })
    const stage = (name: string, ...steps: [name: string, run: string][]) => ({
      name,
      steps: steps.map(([name, run]) => ({ type: 'script' as const, name, run })),
    })
    const pipeline = await admin.call(definitions.create, {
      body: {
        appId,
        projectName: 'walk',
        definition: {
          stages: [stage('build', ['get', 'echo get'], ['compile', compile]), stage('test', ['check', check])],
        },
      },
    })
    const one = `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${pipeline.id}`
    const { number } = await runBuild(admin, pipeline.id)
    build = `${one}/history/${number}/info`
    pipelineScreens = one

    const [env] = await admin.call(clusters.ofTeam, { params: { teamId } })
    const envId = env?.uuid ?? ''
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'live', envId } })
    const at = { teamId, stackId: stack.uuid, serviceName: 'web' }
    const { id } = await admin.call(services.create, { params: at, body: { image: 'registry.example.org/shop/web:1' } })
    const settled = (state: string) =>
      eventually(
        () => admin.call(services.get, { params: { teamId, envId, id } }),
        (now) => now.state === state,
        patient,
      )
    await settled('stable')
    await admin.call(services.update, { params: at, body: { image: 'registry.example.org/shop/web:2' } })
    await settled('upgraded')
    service = `/teams/${teamId}/appcenter/env/${envId}/stack/${stack.id}/${stack.uuid}/live/services/${id}/web/bs/containers/from/app`
    const [first] = (await admin.call(hosts.list, { query: { envUuid: envId } })).items
    host = `/teams/${teamId}/resourcemanager/cluster/environments-detail/${envId}/host/${first?.name}/-/-?tab=logs`
  })

  const opens = width < 640 ? 'are below the news of their screen' : 'end within the window, their last line too'
  test(`${opens}, and a screen opens at its top`, async () => {
    const story = await suite().enter('admin')
    const { page, check } = story
    for (const address of [
      build,
      ...['log', 'terminal', 'yaml'].map((tab) => `${service}?tab=${tab}`),
      `${pipelineScreens}/orch-pipeline?view=yaml`,
      host,
    ]) {
      await page.goto(address)
      await page.locator('main .g-pane').first().waitFor()
      if (width >= 640) await expect.poll(() => beyond(page)).toEqual([])
      await check()
      expect(await scrolled(page)).toBe(0)
    }
    await story.end()
  })

  test('a failed build opens at its failure, one step away from its log', async () => {
    const story = await suite().enter('admin')
    const { page, say, press } = story
    await page.goto(build)
    await page.getByRole('region', { name: say('pipelines-ui-log-of', { step: 'check' }) }).waitFor()
    const failure = page.getByRole('heading', { name: say('pipelines-ui-step-failed', { step: 'check' }) })
    expect(await failure.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(
      await page.evaluate(() => innerHeight),
    )
    if (width < 640) await press(page.getByRole('button', { name: say('pipelines-ui-show-log') }))
    await expect.poll(() => beyond(page)).toEqual([])
    await story.end()
  })

  test('a definition as form is as wide as text, and settings are saved from their first screen', async () => {
    const story = await suite().enter('admin')
    const { page, say, check } = story
    const box = async (place: Locator) => {
      const found = await place.boundingBox()
      if (!found) throw new Error('it is not drawn')
      return found
    }
    await page.goto(`${pipelineScreens}/orch-pipeline`)
    const form = await box(page.getByRole('group', { name: say('pipelines-ui-view-form') }))
    await page.goto(`${pipelineScreens}/orch-pipeline?view=yaml`)
    const text = await box(page.getByRole('tabpanel').locator('.g-yaml'))
    expect([text.x, text.width]).toEqual([form.x, form.width])

    await page.goto(`${pipelineScreens}/setting`)
    const save = await box(page.getByRole('button', { name: say('ui-save'), exact: true }))
    expect(save.y + save.height).toBeLessThanOrEqual(await page.evaluate(() => innerHeight))
    // the tab bar scrolls in a narrow window: the open tab is visible
    const open = await box(
      page.getByRole('navigation', { name: say('pipelines-ui-screens') }).locator('[aria-current]'),
    )
    expect(open.x).toBeGreaterThanOrEqual(0)
    expect(open.x + open.width).toBeLessThanOrEqual(width)
    await check()
    await story.end()
  })

  test('a search runs while the user types, over all steps of a build, and is part of the address', async () => {
    const story = await suite().enter('admin')
    const { page, say, write, press, check } = story
    const log = (step: string) => page.getByRole('region', { name: say('pipelines-ui-log-of', { step }) })
    const lit = (step: string) => log(step).locator('.g-log-lit')
    await page.goto(build)
    await log('check').getByText('error: module 42 is broken').waitFor()
    const search = page.getByRole('searchbox', { name: say('pipelines-ui-log-search') })
    await write(search, 'MODULE 42')
    await page.getByText(say('ui-log-hits', { at: 2, count: 3 })).waitFor()
    await lit('check').getByText('checked module 42').waitFor()
    await search.and(page.locator(':focus')).waitFor()
    await check()
    await page.keyboard.press('Shift+Enter')
    await lit('compile').getByText('compiled module 42').waitFor()
    await page.getByText(say('ui-log-hits', { at: 1, count: 3 })).waitFor()
    await search.and(page.locator(':focus')).waitFor()
    expect(await beyond(page, false)).toEqual([])
    await page.reload()
    await lit('compile').getByText('compiled module 42').waitFor()
    await page.getByText(say('ui-log-hits', { at: 1, count: 3 })).waitFor()
    expect(await search.inputValue()).toBe('MODULE 42')
    await write(search, 'nowhere to be found')
    await page.getByText(say('ui-log-no-hits')).waitFor()
    await write(search, '')
    await expect.poll(() => new URL(page.url()).searchParams.has('find')).toBe(false)

    await press(page.getByRole('button', { name: say('ui-full') }))
    await log('compile').and(page.locator(':focus')).waitFor()
    expect(await page.evaluate(() => document.fullscreenElement?.className)).toContain('g-log')
    await check()
    await press(page.getByRole('button', { name: say('ui-full-leave') }))
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
    await story.end()
  })

  test('a terminal accepts input as soon as it is in full screen, and afterwards', async () => {
    const story = await suite().enter('admin')
    const { page, say, press } = story
    const terminal = page.getByRole('group', { name: /web/ })
    const typed = async (text: string) => {
      await terminal.locator('textarea').and(page.locator(':focus')).waitFor()
      await page.keyboard.type(`echo ${text}`)
      await page.keyboard.press('Enter')
      await terminal.getByText(text, { exact: true }).first().waitFor()
    }
    await page.goto(`${service}?tab=terminal`)
    await terminal.getByText('/ #').first().waitFor()
    await page.keyboard.press('Escape')
    await press(page.getByRole('button', { name: say('ui-full') }))
    await typed('within')
    await page.evaluate(() => document.exitFullscreen())
    await typed('after')
    await story.end()
  })
})

/** The scroll offset of the screen in pixels. */
const scrolled = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => document.querySelector('[data-sheet]')?.scrollTop)

/** The panes, and their last lines, that are not within the window. */
const beyond = (page: Page, ends = true): Promise<string[]> =>
  page.evaluate((ends) => {
    const inside = (element: Element, frame: DOMRect) => {
      const { top, bottom, height } = element.getBoundingClientRect()
      return height > 0 && top >= frame.top - 1 && bottom <= frame.bottom + 1
    }
    const sheet = document.querySelector('[data-sheet]')?.getBoundingClientRect() ?? new DOMRect()
    return [...document.querySelectorAll('main .g-pane')].flatMap((pane) => [
      ...(inside(pane, sheet) ? [] : [`${pane.className} ends at ${pane.getBoundingClientRect().bottom}`]),
      ...[...pane.querySelectorAll('.g-log-block')].flatMap(({ lastElementChild: line }) =>
        !ends || (line && inside(line, pane.getBoundingClientRect()))
          ? []
          : [`its last line is not seen: ${line?.textContent}`],
      ),
    ])
  }, ends)
