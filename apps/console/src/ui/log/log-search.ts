import { useRef, useState } from 'react'
import { wordsOf } from '../../api/notices.ts'
import { plainText } from './ansi.tsx'
import type { LogFeed } from './log-feed.ts'

export interface Hits {
  /** Line numbers, in order. */
  lines: readonly number[]
  /** Hits in the whole log; may be more than are listed. */
  total: number
}

/** Searches the whole log on the server; `offset` counts hits. */
export type SearchLog = (text: string, offset: number) => Promise<Hits>

/** Searches the loaded lines. */
export function searchFeed(feed: LogFeed, text: string): Hits {
  const needle = text.toLowerCase()
  const lines: number[] = []
  for (let n = feed.first; n <= feed.last; n += 1) {
    const line = feed.line(n)
    if (line && plainText(line.text).toLowerCase().includes(needle)) lines.push(n)
  }
  return { lines, total: lines.length }
}

/** The state of a search in a log: the query, its hits, and the current one. */
export function useLogSearch(feed: LogFeed, search: SearchLog | undefined, goTo: (line: number) => void) {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<Hits & { at: number }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const asked = useRef(0)

  const ask = async (needle: string, offset: number): Promise<Hits | undefined> => {
    const mine = ++asked.current
    setBusy(true)
    setProblem('')
    try {
      const found = search ? await search(needle, offset) : searchFeed(feed, needle)
      return mine === asked.current ? found : undefined
    } catch (error) {
      if (mine === asked.current) setProblem(wordsOf(error))
      return undefined
    } finally {
      if (mine === asked.current) setBusy(false)
    }
  }
  const start = async (needle: string) => {
    setText(needle)
    setHits(undefined)
    if (needle === '') return
    const found = await ask(needle, 0)
    if (!found) return
    setHits({ ...found, at: 0 })
    if (found.lines[0] !== undefined) goTo(found.lines[0])
  }
  const step = async (by: 1 | -1) => {
    if (!hits || hits.lines.length === 0) return
    let { lines } = hits
    let at = hits.at + by
    if (at >= lines.length && lines.length < hits.total) {
      const more = await ask(text, lines.length)
      lines = [...lines, ...(more?.lines ?? [])]
    }
    at = (at + lines.length) % lines.length
    setHits({ lines, total: hits.total, at })
    const line = lines[at]
    if (line !== undefined) goTo(line)
  }
  return { text, hits, busy, problem, start, step, current: hits?.lines[hits.at] }
}
