import { Input } from 'antd'
import { useState } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { count } from '../format.ts'
import { Icon } from '../icon.tsx'
import type { useLogSearch } from './log-search.ts'

/** The search over a log: Enter searches, and again goes to the next hit; with Shift, to the previous. */
export function LogSearchBar({ hunt }: { hunt: ReturnType<typeof useLogSearch> }) {
  const [typed, setTyped] = useState('')
  const { hits } = hunt
  const listed = hits !== undefined && hits.lines.length > 0
  return (
    <>
      <Input
        className="g-search"
        type="search"
        value={typed}
        placeholder={t('ui-log-search')}
        aria-label={t('ui-log-search')}
        maxLength={200}
        prefix={<Icon name="search" size={14} />}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '') void hunt.start('')
        }}
        onPressEnter={(event) => {
          const same = typed === hunt.text && listed
          void (same ? hunt.step(event.shiftKey ? -1 : 1) : hunt.start(typed))
        }}
      />
      {hits && (
        <span className="g-row g-num" aria-live="polite">
          {listed ? t('ui-log-hits', { at: count(hits.at + 1), count: count(hits.total) }) : t('ui-log-no-hits')}
          {listed && (
            <>
              <Button quiet small icon="previous" label={t('ui-log-hit-previous')} onClick={() => void hunt.step(-1)} />
              <Button quiet small icon="next" label={t('ui-log-hit-next')} onClick={() => void hunt.step(1)} />
            </>
          )}
        </span>
      )}
      {hunt.busy && <span className="g-faint">{t('ui-loading')}</span>}
      {hunt.problem !== '' && (
        <span className="g-bad" role="alert">
          {hunt.problem}
        </span>
      )}
    </>
  )
}
