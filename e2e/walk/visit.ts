import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@gantry/waiting/eventually'
import type { Page, Request } from 'playwright-core'
import type { Look, Story } from '../story.ts'

/** Those as whom the screens are walked: without a role, the leader of the team, the administrator. */
export type Walker = 'member' | 'leader' | 'admin'

/** A screen that has been opened by its address and has come to rest. */
export interface Visit {
  /** The route's name. */
  name: string
  who: Walker
  look: Look
  story: Story
  page: Page
  /** What the page has asked the server for, files of the console included, in this order. */
  requests: readonly Request[]
  /** How many events the server had pushed before each of them. */
  pushes: ReadonlyMap<Request, number>
}

/**
 * What holds for every screen. A file in `checks/` exports one as `check`, and the walk finds it there. Its faults are
 * sentences; none is right. What costs time, or changes the screen, says for whom and in which look it is worth it.
 */
export type Check = (visit: Visit) => string[] | Promise<string[]>

const folder = join(import.meta.dirname, 'checks')

/** Every check by its name: those that only look before those that type, whose names begin with `then-`. */
export const loadChecks = (): Promise<[name: string, check: Check][]> =>
  Promise.all(
    readdirSync(folder)
      .map((file) => file.replace(/\.ts$/, ''))
      .sort((a, b) => Number(a.startsWith('then-')) - Number(b.startsWith('then-')) || a.localeCompare(b))
      .map(async (name): Promise<[string, Check]> => {
        const { check } = (await import(join(folder, `${name}.ts`))) as { check: Check }
        return [name, check]
      }),
  )

const quietMs = 100

/** Opens screens in the tab of this story. */
export function visitor(story: Story, who: Walker, look: Look): (name: string, at: string) => Promise<Visit> {
  const { page } = story
  let requests: Request[] = []
  let pushed = 0
  let pushes = new Map<Request, number>()
  let changed = 0
  let began = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      // Where something was published since the page began, it may have been missed: the console reads it again.
      const quietMs = Number(/"quietMs":(\d+)/.exec(String(payload))?.[1] ?? Infinity)
      if (Date.now() - quietMs > began || payload.includes('"content":')) pushed += 1
    })
  })
  const open = new Set<Request>()
  const forget = () => {
    requests = []
    pushes = new Map()
    open.clear()
    began = Date.now()
  }
  page.on('request', (request) => {
    changed = Date.now()
    // What the screen before still asks for is none of this one's.
    if (request.isNavigationRequest()) forget()
    open.add(request)
    requests.push(request)
    pushes.set(request, pushed)
  })
  const ended = (request: Request) => {
    changed = Date.now()
    open.delete(request)
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async (name, at) => {
    await page.goto(at)
    await page.locator('h1').first().waitFor()
    // At rest: nothing is asked for, and no skeleton waits for an answer. Charts and streams go on.
    await eventually(
      async () => ({
        asks: [...open].map((request) => request.url()),
        quietMs: Date.now() - changed,
        skeletons: await page.locator('.g-skeleton').count(),
      }),
      (now) => now.asks.length === 0 && now.quietMs > quietMs && now.skeletons === 0,
    )
    return { name, who, look, story, page, requests, pushes }
  }
}
