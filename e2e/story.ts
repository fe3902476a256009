import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import type { Browser, Page } from 'playwright-core'
import { expect, onTestFailed } from 'vitest'
import { axeFaults, faultsOf } from './browser.ts'

/** How somebody looks at the product. */
export interface Look {
  language: 'en' | 'zh'
  theme: 'light' | 'dark'
  /** Pixels. */
  width: number
}

/** One person's way through the product in a browser of their own. */
export interface Story {
  page: Page
  /** A text as this person reads it. */
  say: (key: PhraseKey, vars?: Record<string, string | number>) => string
  /** That the screen as it is breaks no rule of accessibility and fits the window. */
  check: () => Promise<void>
  /** That all the way no page broke the content security policy, wrote an error, threw, or asked another host. */
  end: () => Promise<void>
}

export async function openStory(browser: Browser, url: string, { language, theme, width }: Look): Promise<Story> {
  const context = await browser.newContext({
    baseURL: url,
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    colorScheme: theme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const faults = faultsOf(page, url)
  onTestFailed(async () => {
    const picture = join(tmpdir(), `gantry-story-${language}-${theme}-${width}.png`)
    await page.screenshot({ path: picture, fullPage: true })
    process.stderr.write(`${[`the page as it was: ${picture}`, page.url(), ...faults].join('\n')}\n`)
  })
  const words: Record<PhraseKey, string> = language === 'zh' ? zh : en
  return {
    page,
    say: (key, vars) => fill(words[key], vars),
    check: async () => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ at: page.url(), axe: await axeFaults(page), overflow: Math.max(0, overflow) }).toEqual({
        at: page.url(),
        axe: [],
        overflow: 0,
      })
    },
    end: async () => {
      expect(faults).toEqual([])
      await context.close()
    },
  }
}
