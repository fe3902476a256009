import { useUrlState } from '../table/url-state.ts'
import { LogPane, type LogPaneProps } from './log-pane.tsx'
import { useFeedHits, useLogSearch } from './log-search.ts'

export interface LogViewProps extends Omit<LogPaneProps, 'hunt' | 'linked' | 'link' | 'part'> {
  /** A prefix of its keys in the address; two logs on a screen need two. */
  prefix?: string
}

/** A log with a search over its loaded lines; the search and the linked line are in the address. */
export function LogView({ prefix = '', ...pane }: LogViewProps) {
  const [lineKey, findKey] = [`${prefix}line`, `${prefix}find`]
  const [{ [lineKey]: line = '', [findKey]: text = '' }, setUrl] = useUrlState<string>({ [lineKey]: '', [findKey]: '' })
  const link = (line: number) => setUrl({ [lineKey]: String(line) }, { replace: true })
  const hunt = useLogSearch({
    text,
    found: useFeedHits(pane.feed, text),
    line,
    part: '',
    find: (next) => setUrl({ [findKey]: next }, { replace: true }),
    go: (hit) => link(hit.line),
  })
  return <LogPane {...pane} hunt={hunt} part="" linked={line} link={link} />
}
