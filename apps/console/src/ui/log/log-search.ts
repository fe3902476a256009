import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { wordsOf } from '../../api/notices.ts'
import { plainText } from './ansi.tsx'
import type { LogFeed } from './log-feed.ts'

/** A matching line. */
export interface Hit {
  /** The log that contains it, if several are searched together; otherwise ''. */
  part: string
  line: number
}

export interface Hits {
  /** In order. */
  hits: readonly Hit[]
  /** Requests the following hits. */
  more?: ((signal: AbortSignal) => Promise<Hits>) | undefined
}

/** Searches on the server, perhaps in more than the displayed log. */
export type SearchLog = (text: string, signal: AbortSignal) => Promise<Hits>

/** The loaded lines that contain a text, from a line on. */
export function searchFeed(feed: LogFeed, text: string, from = feed.first): number[] {
  const needle = text.toLowerCase()
  const lines: number[] = []
  for (let n = Math.max(from, feed.first); n <= feed.last; n += 1) {
    const line = feed.line(n)
    if (line && plainText(line.text).toLowerCase().includes(needle)) lines.push(n)
  }
  return lines
}

interface Found extends Hits {
  text: string
  problem: string
}

/** The hits among the loaded lines; in a growing feed only new lines are searched. */
export function useFeedHits(feed: LogFeed, text: string): Found | undefined {
  const [found, setFound] = useState({ text: '', to: 0, lines: [] as readonly number[] })
  const { lines, to } = found
  if (text !== '' && !feed.loading && (found.text !== text || to !== feed.last)) {
    const goesOn = found.text === text && to < feed.last
    const kept = goesOn ? lines.filter((n) => n >= feed.first) : []
    const added = searchFeed(feed, text, goesOn ? to + 1 : feed.first)
    setFound({ text, to: feed.last, lines: [...kept, ...added] })
  }
  if (text === '' || found.text !== text) return undefined
  return { text, hits: lines.map((line) => ({ part: '', line })), problem: '' }
}

/** The hits that the server finds. A new search cancels an older one. */
export function useServerHits(search: SearchLog, text: string): [Found | undefined, () => Promise<Found | undefined>] {
  const [found, setFound] = useState<Found>()
  const asking = useRef<AbortController>(undefined)
  const ask = useEffectEvent(() => search)
  useEffect(() => {
    if (text === '') return undefined
    const control = new AbortController()
    asking.current = control
    void ask()(text, control.signal).then(
      (answer) => !control.signal.aborted && setFound({ ...answer, text, problem: '' }),
      (error: unknown) => !control.signal.aborted && setFound({ text, hits: [], problem: wordsOf(error) }),
    )
    return () => control.abort()
  }, [text])
  const more = async (): Promise<Found | undefined> => {
    const signal = asking.current?.signal
    if (!found?.more || !signal) return found
    try {
      const next = await found.more(signal)
      const all = { ...found, hits: [...found.hits, ...next.hits], more: next.more }
      setFound(all)
      return all
    } catch (error) {
      if (!signal.aborted) setFound({ ...found, problem: wordsOf(error) })
      return undefined
    }
  }
  return [text === found?.text ? found : undefined, more]
}

export interface LogSearch {
  text: string
  /** Undefined during a search. */
  found: Found | undefined
  /** The position of the displayed line among the hits; -1 for none. */
  at: number
  find: (text: string) => void
  /** Goes to another hit, and returns it. */
  step: (by: 1 | -1) => Promise<Hit | undefined>
}

interface LogSearchOptions {
  text: string
  found: Found | undefined
  more?: () => Promise<Found | undefined>
  /** The line in the address, and the displayed log. */
  line: string
  part: string
  find: (text: string) => void
  /** Puts the hit's line into the address. */
  go: (hit: Hit) => void
}

/** A search with text and line in the address. A new text goes to its first hit, if possible in the displayed log. */
export function useLogSearch({ text, found, more, line, part, find, go }: LogSearchOptions): LogSearch {
  const hits = found?.hits ?? []
  const placeOf = (list: readonly Hit[]) => list.findIndex((hit) => hit.part === part && String(hit.line) === line)
  const at = placeOf(hits)
  // A link to a line stays at its line.
  const settled = useRef(line === '' ? '' : text)
  const settle = useEffectEvent((text: string, hits: readonly Hit[]) => {
    if (text === '') settled.current = ''
    const first = hits.find((hit) => hit.part === part) ?? hits[0]
    if (!first || settled.current === text) return
    settled.current = text
    if (at === -1) go(first)
  })
  useEffect(() => settle(text, found?.hits ?? []), [text, found])
  const step = async (by: 1 | -1) => {
    let list = hits
    let next = at + (at === -1 && by === -1 ? 0 : by)
    if (next >= list.length && found?.more && more) list = (await more())?.hits ?? list
    if (list.length === 0) return undefined
    next = (next + list.length) % list.length
    const hit = list[next]
    if (hit) go(hit)
    return hit
  }
  return { text, found, at, find, step }
}
