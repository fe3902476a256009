import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '@gantry/contract/agents/agents'
import { afterAll, expect, test } from 'vitest'
import { stories } from './story.ts'

/** An administrator adds an agent, starts it by the shown lines, pauses and removes it. */
stories(
  'build agents',
  (suite, { language }) => {
    const name = `builder-${language}`
    const folder = mkdtempSync(join(tmpdir(), 'gantry-agent-'))
    let agent: ChildProcess | undefined
    afterAll(async () => {
      if (agent?.exitCode === null) {
        const ended = once(agent, 'exit')
        agent.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })

    /** As in the shown lines: the file, preceded by its variables. */
    async function start(lines: string): Promise<void> {
      const { product } = suite()
      const file = join(folder, 'gantry-agent.mjs')
      writeFileSync(file, await (await fetch(`${product.url}${agents.program.path}`)).text())
      const variables = Object.fromEntries(
        [...lines.matchAll(/(GANTRY_\w+)=(\S+)/g)].map(([, key, value]) => [key, value]),
      )
      agent = spawn(process.execPath, [file], {
        cwd: folder,
        env: { PATH: process.env['PATH'], ...variables, GANTRY_AGENT_DIR: join(folder, 'agent') },
        stdio: 'ignore',
      })
    }

    test('an agent is added, started by the shown lines, paused and removed', async () => {
      const story = await suite().enter('admin')
      const { page, say, press, pick, write, field, check } = story
      const button = (text: string) => page.getByRole('button', { name: text, exact: true })
      const state = (word: string) => page.locator('.g-page-about .g-state').filter({ hasText: word })
      await page.goto('/sysconfig/continuous-delivery/agents')
      await page.getByText(say('agents-ui-embedded', { name: 'embedded' })).waitFor()
      await check()
      await press(button(say('agents-ui-add')).first())
      await write(field(say('agents-ui-name')), name)
      await check()
      await press(button(say('agents-ui-add')))
      const lines = page.locator('pre')
      await lines.getByText('GANTRY_AGENT_TOKEN').waitFor()
      await check()
      await start(await lines.innerText())

      await press(button(say('agents-ui-way-done')))
      await state(say('state-online')).waitFor()
      await page.getByText(say('agents-ui-jobs-none')).waitFor()
      await check()
      await press(page.getByRole('link', { name: say('agents-ui-queues'), exact: true }))
      await page.getByText(say('agents-ui-queues-none')).waitFor()
      await press(page.getByRole('link', { name: say('agents-ui-history'), exact: true }))
      await page.getByText(say('agents-ui-history-none')).waitFor()

      const menu = button(say('ui-actions-of', { name }))
      const answer = (text: string) => page.getByRole('dialog').getByRole('button', { name: text, exact: true })
      await pick(menu, say('agents-ui-pause'))
      await press(answer(say('agents-ui-pause')))
      await state(say('state-paused')).waitFor()
      await check()

      await page.goto('/sysconfig/continuous-delivery/hosts')
      await page.getByRole('link', { name, exact: true }).waitFor()
      await check()
      await press(page.getByRole('link', { name, exact: true }))
      await pick(menu, say('agents-ui-remove'))
      await press(answer(say('agents-ui-remove')))
      await page.waitForURL(/agents$/)
      await expect.poll(() => page.getByText(name, { exact: true }).count()).toBe(0)
      await story.end()
    })
  },
  { GANTRY_SANDBOX: 'off' },
)
