import { Input } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { count } from '../format.ts'
import { Icon } from '../icon.tsx'
import type { LogSearch } from './log-search.ts'

/** The pause in typing after which a search begins. */
const pauseMs = 250

interface LogSearchBarProps {
  hunt: LogSearch
  /** The label of the search. */
  label: string
  step: (by: 1 | -1) => void
}

/** The search in a log: it searches while the user types; Enter goes to the next hit, with Shift to the previous. */
export function LogSearchBar({ hunt: { text, found, at, find }, label, step }: LogSearchBarProps) {
  const [typed, setTyped] = useState(text)
  const [{ seen, sent }, setPast] = useState({ seen: text, sent: text })
  // The address was changed from outside: by going back, or by a link.
  if (seen !== text) {
    setPast({ seen: text, sent: text })
    if (sent !== text) setTyped(text)
  }
  const send = () => {
    setPast({ seen, sent: typed })
    find(typed)
  }
  const search = useEffectEvent(() => typed !== text && send())
  useEffect(() => {
    const timer = setTimeout(() => search(), typed === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const total = found?.hits.length ?? 0
  return (
    <>
      <Input
        className="g-search"
        type="search"
        value={typed}
        placeholder={label}
        aria-label={label}
        maxLength={200}
        prefix={<Icon name="search" size={14} />}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={(event) => {
          if (typed !== text) send()
          else step(event.shiftKey ? -1 : 1)
        }}
      />
      {text !== '' && (
        <span className="g-row g-num" aria-live="polite">
          {!found
            ? t('ui-loading')
            : total === 0
              ? found.problem === '' && t('ui-log-no-hits')
              : t(found.more ? 'ui-log-hits-many' : 'ui-log-hits', {
                  at: at === -1 ? '–' : count(at + 1),
                  count: count(total),
                })}
          {total > 0 && (
            <>
              <Button quiet small icon="previous" label={t('ui-log-hit-previous')} onClick={() => step(-1)} />
              <Button quiet small icon="next" label={t('ui-log-hit-next')} onClick={() => step(1)} />
            </>
          )}
        </span>
      )}
      {found !== undefined && found.problem !== '' && (
        <span className="g-bad" role="alert">
          {found.problem}
        </span>
      )}
    </>
  )
}
